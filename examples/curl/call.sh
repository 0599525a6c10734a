#!/bin/sh
# Verifies a phone number by a call. Run it with BASE_URL, KEY and SERVICE_ID set, and PHONE for another number.
set -eu
phone=${PHONE:-79000000001}

ask() {
  method=$1
  shift
  curl --silent --show-error --header "Authorization: Bearer $KEY.$SERVICE_ID" \
    --get "$@" "$BASE_URL/v1.0/$method"
}
field() {
  sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"
}

# Start. The idempotency key in unique makes retries safe: the phone is called and charged once. The code is good for ten minutes.
expires=$(($(date +%s) + 600))
started=$(ask initCall --data "phone=$phone" --data "unique=sign-up-$(date +%s)-$$")
echo "$started"
id=$(echo "$started" | field vendor_id)
[ -n "$id" ] || exit 1

# Wait for the call to end, which takes at most a minute.
while info=$(ask getInfo --data "uid=$id") && [ "$(echo "$info" | field call_status)" = -1 ]; do
  sleep 1
done
if [ "$(echo "$info" | field call_status)" != 1 ]; then
  echo "The phone could not be reached: $info"
  exit 1
fi

# No phone rings for the test number, so show what to type. Never show the code of a real number.
if [ "$phone" = 79000000001 ]; then
  echo "This is a test number. Type $(echo "$started" | field code)"
fi

# Check what the user types: the last four digits of the caller ID. Three guesses, because there are only 10 000 codes.
for guess in 1 2 3; do
  printf 'The last four digits of the number that called: '
  read -r typed
  if [ "$(date +%s)" -ge "$expires" ]; then
    echo 'The code has expired.'
    exit 1
  fi
  if [ "$typed" = "$(echo "$started" | field code)" ]; then
    echo 'Verified.'
    exit
  fi
  echo "Wrong code, guess $guess of 3."
done
exit 1
