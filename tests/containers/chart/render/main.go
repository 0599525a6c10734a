// Renders a Helm chart without dependencies, as `helm template` does: Go's text/template, sprig and the YAML parser of Kubernetes
// are what Helm is made of, and Debian packages them. Debian has no Helm.
//
//	render CHART RELEASE FILE...           prints the objects and the notes as JSON; each FILE has values
//	render -values CHART RELEASE FILE...   prints the merged values
//
// Stricter than Helm: a value that the templates read and no file has is an error, and so is a key that occurs twice.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

type object struct {
	Source string          `json:"source"`
	Object json.RawMessage `json:"object"`
}

var separator = regexp.MustCompile(`(?m)^---$`)

func main() {
	log.SetFlags(0)
	onlyValues := flag.Bool("values", false, "print the merged values")
	flag.Parse()
	chart, release, files := flag.Arg(0), flag.Arg(1), flag.Args()[2:]
	merged := readYAML(filepath.Join(chart, "values.yaml"))
	for _, file := range files {
		merge(merged, readYAML(file))
	}
	if *onlyValues {
		printJSON(merged)
		return
	}
	objects, notes := render(chart, release, merged)
	printJSON(values{"objects": objects, "notes": notes})
}

func render(chart, release string, merged values) ([]object, string) {
	about := readYAML(filepath.Join(chart, "Chart.yaml"))
	context := values{
		"Values":  merged,
		"Chart":   values{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release": values{"Name": release, "Namespace": "default", "Service": "Helm"},
	}
	templates := template.New("chart").Option("missingkey=error")
	templates.Funcs(functions(templates))
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		_, err = templates.New(filepath.Base(path)).Parse(string(text))
		check(err)
	}
	objects, notes := []object{}, ""
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		check(templates.ExecuteTemplate(&text, name, context))
		if name == "NOTES.txt" {
			notes = text.String()
			continue
		}
		objects = append(objects, parse(name, text.String())...)
	}
	return objects, notes
}

// The functions of Helm that the chart uses; any other name is an error.
func functions(templates *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	// Helm has removed these, too: a chart must not depend on the machine.
	delete(all, "env")
	delete(all, "expandenv")
	all["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := templates.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	all["required"] = func(sentence string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(sentence)
		}
		return value, nil
	}
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	return all
}

func parse(name, text string) []object {
	found := []object{}
	for _, document := range separator.Split(text, -1) {
		parsed, err := yaml.YAMLToJSONStrict([]byte(document))
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		if string(parsed) != "null" {
			found = append(found, object{name, parsed})
		}
	}
	return found
}

// As Helm does: maps are merged, everything else is replaced, and null removes a default.
func merge(into, from values) {
	for name, value := range from {
		inner, isMap := value.(values)
		before, wasMap := into[name].(values)
		switch {
		case value == nil:
			delete(into, name)
		case isMap && wasMap:
			merge(before, inner)
		default:
			into[name] = value
		}
	}
}

func readYAML(path string) values {
	text, err := os.ReadFile(path)
	check(err)
	read := values{}
	if err := yaml.UnmarshalStrict(text, &read); err != nil {
		log.Fatalf("%s: %v", path, err)
	}
	return read
}

func printJSON(value interface{}) {
	text, err := json.Marshal(value)
	check(err)
	fmt.Println(string(text))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
