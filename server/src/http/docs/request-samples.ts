// One request of a method in five languages, each a complete program. tests/integration/request-samples.test.ts runs them all.

import type { Method } from '@ringproof/contract/methods.ts'
import type { Sample } from './code-block.ts'

type Fields = Readonly<Record<string, unknown>>

export function requestSamples(publicUrl: string, method: Method, request: Fields): readonly Sample[] {
  const url = `${publicUrl}/v1.0/${method}`
  const fields = Object.keys(request).length === 0 ? undefined : request
  return [
    { name: 'curl', text: curl(url, fields) },
    { name: 'PHP', text: php(url, fields) },
    { name: 'Node', text: node(url, fields) },
    { name: 'Python', text: python(url, fields) },
    { name: 'Go', text: go(url, fields) },
  ]
}

// A method without parameters is a GET.
export function curl(url: string, fields: Fields | undefined): string {
  const body = fields && ` \\\n  -H 'Content-Type: application/json' \\\n  -d '${json(fields, '  ')}'`
  return `curl ${url} \\\n  -H "Authorization: Bearer $KEY.$SERVICE_ID"${body ?? ''}`
}

function php(url: string, fields: Fields | undefined): string {
  const entries = Object.entries(fields ?? {}).map(([name, value]) => `        '${name}' => ${literal(value)},`)
  const options = fields
    ? [
        `    'method' => 'POST',`,
        `    'header' => "Authorization: Bearer $credentials\\r\\nContent-Type: application/json",`,
        `    'content' => json_encode([`,
        ...entries,
        `    ]),`,
      ]
    : [`    'header' => "Authorization: Bearer $credentials",`]
  return `<?php
$credentials = getenv('KEY') . '.' . getenv('SERVICE_ID');
$context = stream_context_create(['http' => [
${options.join('\n')}
    'ignore_errors' => true,
]]);
echo file_get_contents('${url}', false, $context);`
}

function node(url: string, fields: Fields | undefined): string {
  const credentials = 'authorization: `Bearer ${process.env.KEY}.${process.env.SERVICE_ID}`'
  const entries = Object.entries(fields ?? {}).map(([name, value]) => `    ${name}: ${literal(value)},`)
  const options = fields
    ? [
        `  method: 'POST',`,
        `  headers: {`,
        `    ${credentials},`,
        `    'content-type': 'application/json',`,
        `  },`,
        `  body: JSON.stringify({`,
        ...entries,
        `  }),`,
      ]
    : [`  headers: { ${credentials} },`]
  return `const response = await fetch('${url}', {
${options.join('\n')}
})
console.log(await response.json())`
}

function python(url: string, fields: Fields | undefined): string {
  const credentials = `"Authorization": f"Bearer {os.environ['KEY']}.{os.environ['SERVICE_ID']}"`
  const parts = fields
    ? [
        `    json.dumps(${json(fields, '    ', '    ')}).encode(),`,
        `    {`,
        `        ${credentials},`,
        `        "Content-Type": "application/json",`,
        `    },`,
      ]
    : [`    headers={${credentials}},`]
  return `import ${fields ? 'json\nimport os' : 'os'}
import urllib.request

request = urllib.request.Request(
    "${url}",
${parts.join('\n')}
)
print(urllib.request.urlopen(request).read().decode())`
}

function go(url: string, fields: Fields | undefined): string {
  const body = fields ? `strings.NewReader(\`${json(fields, '\t', '\t')}\`)` : 'http.NoBody'
  const type = fields ? `\n\trequest.Header.Set("Content-Type", "application/json")` : ''
  return `package main

import (
	"io"
	"log"
	"net/http"
	"os"${fields ? '\n\t"strings"' : ''}
)

func main() {
	body := ${body}
	request, err := http.NewRequest("${fields ? 'POST' : 'GET'}", "${url}", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY")+"."+os.Getenv("SERVICE_ID"))${type}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}`
}

// Every line but the first is indented.
function json(fields: Fields, indent: string, step = '  '): string {
  return JSON.stringify(fields, undefined, step).replaceAll('\n', `\n${indent}`)
}

// A literal of PHP and JavaScript.
function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
