// Verifies a phone number by a call, using only Go's standard library: go run call.go
// Run it with BASE_URL, KEY and SERVICE_ID set, and PHONE for another number.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

type answer struct {
	VendorID   int64  `json:"vendor_id"`
	Phone      string `json:"phone"`
	Code       string `json:"code"`
	CallStatus int    `json:"call_status"`
}

// In a refusal the field code is a number.
type refusal struct {
	Status *bool  `json:"status"`
	Error  string `json:"error"`
	Code   int    `json:"code"`
}

var client = http.Client{Timeout: 10 * time.Second}

func ask(method string, request map[string]any) answer {
	body, _ := json.Marshal(request)
	post, err := http.NewRequest("POST", os.Getenv("BASE_URL")+"/v1.0/"+method, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	post.Header.Set("Authorization", "Bearer "+os.Getenv("KEY")+"."+os.Getenv("SERVICE_ID"))
	post.Header.Set("Content-Type", "application/json")
	reply, err := client.Do(post)
	if err != nil {
		log.Fatal("No answer came. Ask again with the same unique: ", err)
	}
	defer reply.Body.Close()
	var text json.RawMessage
	if err := json.NewDecoder(reply.Body).Decode(&text); err != nil {
		log.Fatal(err)
	}
	var refused refusal
	if json.Unmarshal(text, &refused); refused.Status != nil && !*refused.Status {
		log.Fatalf("code %d: %s", refused.Code, refused.Error)
	}
	var answered answer
	if err := json.Unmarshal(text, &answered); err != nil {
		log.Fatal(err)
	}
	return answered
}

func main() {
	phone := os.Getenv("PHONE")
	if phone == "" {
		phone = "79000000001"
	}

	// Start. The idempotency key in unique makes retries safe: the phone is called and charged once. The code is good for ten minutes.
	expires := time.Now().Add(600 * time.Second)
	key := make([]byte, 16)
	rand.Read(key)
	started := ask("initCall", map[string]any{"phone": phone, "unique": fmt.Sprintf("%x", key)})
	fmt.Printf("Calling %s, verification %d\n", started.Phone, started.VendorID)

	// Wait for the call to end, which takes at most a minute.
	info := ask("getInfo", map[string]any{"uid": started.VendorID})
	for info.CallStatus == -1 {
		time.Sleep(time.Second)
		info = ask("getInfo", map[string]any{"uid": started.VendorID})
	}
	if info.CallStatus != 1 {
		log.Fatal("The phone could not be reached.")
	}

	// No phone rings for the test number, so show what to type. Never show the code of a real number.
	if phone == "79000000001" {
		fmt.Println("This is a test number. Type", started.Code)
	}

	// Check what the user types: the last four digits of the caller ID. Three guesses, because there are only 10 000 codes.
	for guess := 1; guess <= 3; guess++ {
		fmt.Print("The last four digits of the number that called: ")
		var typed string
		fmt.Scanln(&typed)
		if time.Now().After(expires) {
			log.Fatal("The code has expired.")
		}
		if typed == started.Code {
			fmt.Println("Verified.")
			return
		}
		fmt.Printf("Wrong code, guess %d of 3.\n", guess)
	}
	os.Exit(1)
}
