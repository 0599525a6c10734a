// Every method of AleksandrMac/ucaller, unmodified, against the address in BASE. GetInfo is left out: it unmarshals into a nil
// pointer, whatever the server responds. Prints one JSON object.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/AleksandrMac/ucaller"
)

type requester struct{}

func (requester) Get(url string) ([]byte, error) {
	response, err := http.Get(os.Getenv("BASE") + "/v1.0" + url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	id, err := strconv.ParseUint(os.Getenv("SERVICE_ID"), 10, 32)
	must(err)
	input := &ucaller.InputData{SecretKey: os.Getenv("KEY"), ID: uint32(id), FreeRepeatTime: time.Minute, FreeRepeatNumber: 2}
	service, err := ucaller.New(input, requester{})
	must(err)
	phone, err := strconv.ParseUint(os.Getenv("PHONE"), 10, 64)
	must(err)
	code, client := uint16(42), "Ivan"
	started, err := service.InitCall(&ucaller.InitCall{Phone: &phone, Code: &code, Client: &client})
	must(err)
	balance, err := service.GetBalance()
	must(err)
	owned, err := service.GetService()
	must(err)
	var repeated *ucaller.ResponseInitRepeat
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		repeated, err = service.InitRepeat(started.ID)
		// While the first call goes on or its number cools down.
		if err == nil || !(strings.Contains(err.Error(), "Too soon") || strings.Contains(err.Error(), "cannot be repeated")) {
			break
		}
	}
	must(err)
	_, refused := service.InitCall(&ucaller.InitCall{Phone: new(uint64)})
	must(json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"started": started, "balance": balance, "service": owned, "repeated": repeated, "refused": refused.Error(),
	}))
}
