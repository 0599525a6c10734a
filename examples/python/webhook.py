# Receives webhooks: python3 webhook.py
# Run it with WEBHOOK_SECRET set, and PORT for another port.

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_genuine(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    # During a secret rotation there are two signatures. A webhook older than five minutes may be a replay.
    signatures = headers.get("webhook-signature", "").split(" ")
    is_signed = any([hmac.compare_digest(expected.encode(), signature.encode()) for signature in signatures])
    return is_signed and timestamp.isdecimal() and abs(time.time() - int(timestamp)) <= 300


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if is_genuine(self.headers, body):
            call = json.loads(body)
            print(f"Verified: {call['clientNumber']} has called, verification {call['callId']}", flush=True)
            self.send_response(204)
        else:
            self.send_response(400)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
