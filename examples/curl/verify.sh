# Checks the signature of a webhook whose body is in a file:
#   ID=… TIMESTAMP=… SIGNATURE=… sh verify.sh body.json
# Run it with WEBHOOK_SECRET set; the three values are those of the headers webhook-id, -timestamp and -signature.

key=$(printf '%s' "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
signature=$({ printf '%s.%s.' "$ID" "$TIMESTAMP"; cat "$1"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)

# During a secret rotation there are two signatures. A webhook older than five minutes may be a replay.
age=$(($(date +%s) - TIMESTAMP))
case " $SIGNATURE " in
*" v1,$signature "*) test "$age" -le 300 && test "$age" -ge -300 && echo Genuine ;;
*) echo Forged && false ;;
esac
