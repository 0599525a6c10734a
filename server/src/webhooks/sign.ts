// The Standard Webhooks headers. During a secret rotation both secrets sign, so that a receiver can switch at any time. The
// operator's payment page signs its reports in the same way.

import { Webhook } from 'standardwebhooks'

export function signedHeaders(
  secrets: readonly string[],
  id: string,
  at: Date,
  body: string,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

// Whether the secret has signed the body within the last five minutes.
export function isSigned(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers
  if (typeof id !== 'string' || typeof at !== 'string' || typeof signature !== 'string') return false
  const signed = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature }
  try {
    new Webhook(secret).verify(body, signed, { jsonParse: false })
    return true
  } catch {
    return false
  }
}
