// Receives webhooks: go run webhook.go
// Run it with WEBHOOK_SECRET set, and PORT for another port.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func isGenuine(header http.Header, body []byte, secret []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Since(time.Unix(sentAt, 0))
	if err != nil || age > 5*time.Minute || age < -5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// During a secret rotation there are two signatures.
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(expected), []byte(signature)) {
			return true
		}
	}
	return false
}

func main() {
	secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		log.Fatal(err)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	receive := func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil || !isGenuine(request.Header, body, secret) {
			response.WriteHeader(400)
			return
		}
		var call struct{ ClientNumber, CallId string }
		json.Unmarshal(body, &call)
		log.Printf("Verified: %s has called, verification %s", call.ClientNumber, call.CallId)
		response.WriteHeader(204)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(receive)))
}
