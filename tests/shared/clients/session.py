# Every method of kebrick/pyucallerapi, unmodified, against the address in BASE. Prints one JSON object: what each model read.
import json
import os
import sys
import time
import warnings

warnings.simplefilter("ignore")
sys.path.insert(0, os.environ["CLIENT"])
from pyucallerapi import APIUCaller, UcallerWebhookModel  # noqa: E402

api = APIUCaller(service_id=int(os.environ["SERVICE_ID"]), key=os.environ["KEY"], base_url=os.environ["BASE"] + "/")


def fields(model):
    return json.loads(model.json())


read = {
    "health": fields(api.health()),
    "service": fields(api.get_service()),
    "balance": fields(api.get_balance()),
    "account": fields(api.get_account()),
    "checked": fields(api.check_phone(phone="+79000000001")),
    "unchecked": fields(api.check_phone(phone="+78190000001")),
}
started = api.init_call(phone=os.environ["PHONE"], code="0417", client="user-17", unique="not-a-uuid")
read["started"] = fields(started)
while True:
    info = api.get_info(uid=started.ucaller_id)
    if info.call_status != -1:
        break
    time.sleep(0.1)
read["info"] = fields(info)
deadline = time.monotonic() + 60
while True:
    repeated = api.init_repeat(uid=started.ucaller_id)
    # 19 is the cooldown between two calls to one number.
    if getattr(repeated, "code", None) != 19 or time.monotonic() > deadline:
        break
    time.sleep(0.2)
read["repeated"] = fields(repeated)
read["refused"] = fields(api.get_info(uid=1))
read["waiting"] = fields(api.inbound_call_waiting(phone="+79000000001", callback_url=os.environ["HOOK"]))
read["webhook"] = UcallerWebhookModel.__name__
print(json.dumps(read))
