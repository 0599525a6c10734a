# Verifies a phone by a call, with nothing but Python's standard library.
# Run it with BASE_URL, KEY and SERVICE_ID set.

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


# Start. The key in unique makes it safe to send the same request again: nobody is called twice.
started = ask("initCall", phone="79000000001", unique=str(uuid.uuid4()))
print(f"Calling {started['phone']}, verification {started['vendor_id']}")

# Wait until the call has ended: a minute at most.
while (info := ask("getInfo", uid=started["vendor_id"]))["call_status"] == -1:
    time.sleep(1)
if info["call_status"] != 1:
    sys.exit("The phone could not be reached.")

# Verify what the person typed: the last four digits of the number that rang.
typed = input("The last four digits of the number that called: ")
if typed != started["code"]:
    sys.exit("Wrong code.")
print("Verified.")
