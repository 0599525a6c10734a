# Verifies a phone number by a call, using only Python's standard library.
# Run it with BASE_URL, KEY and SERVICE_ID set, and PHONE for another number.

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid


def ask(method, **request):
    url = f"{os.environ['BASE_URL']}/v1.0/{method}"
    headers = {
        "Authorization": f"Bearer {os.environ['KEY']}.{os.environ['SERVICE_ID']}",
        "Content-Type": "application/json",
    }
    try:
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(request).encode(), headers), timeout=10) as reply:
            answer = json.load(reply)
    except urllib.error.HTTPError as refusal:
        answer = json.load(refusal)
    if answer.get("status") is False:
        raise RuntimeError(f"code {answer['code']}: {answer['error']}")
    return answer


phone = os.environ.get("PHONE", "79000000001")

# Start. The idempotency key in unique makes retries safe: the phone is called and charged once. The code is good for ten minutes.
expires = time.time() + 600
started = ask("initCall", phone=phone, unique=str(uuid.uuid4()))
print(f"Calling {started['phone']}, verification {started['vendor_id']}")

# Wait for the call to end, which takes at most a minute.
while (info := ask("getInfo", uid=started["vendor_id"]))["call_status"] == -1:
    time.sleep(1)
if info["call_status"] != 1:
    sys.exit("The phone could not be reached.")

# No phone rings for the test number, so show what to type. Never show the code of a real number.
if phone == "79000000001":
    print(f"This is a test number. Type {started['code']}")

# Check what the user types: the last four digits of the caller ID. Three guesses, because there are only 10 000 codes.
for guess in 1, 2, 3:
    typed = input("The last four digits of the number that called: ")
    if time.time() >= expires:
        sys.exit("The code has expired.")
    if typed == started["code"]:
        print("Verified.")
        sys.exit()
    print(f"Wrong code, guess {guess} of 3.")
sys.exit(1)
