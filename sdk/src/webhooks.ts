// Webhooks signed by the Standard Webhooks specification: HMAC-SHA256 over `id.timestamp.body`, with several signatures in one
// header during a secret rotation.

import { WebhookVerificationError } from './errors.ts'

/** The webhook body: the user's call that matched an inboundCallWaiting request. */
export type InboundCall = {
  /** The `vendor_id` that inboundCallWaiting returned, as text. */
  callId: string
  callbackLink: string
  /** Digits without a plus. */
  clientNumber: string
  confirmationNumber: string
  isMnp: boolean
  /** Both are empty if the number was not ported. */
  operatorName: string
  operatorNameMnp: string
  regionName: string
}

// Headers of fetch, of node:http, or a plain object.
type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

const headerNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
const toleranceSeconds = 300

export const webhooks = { verify, testHeaders }

/**
 * Verifies the signature and the age (at most five minutes) and returns the webhook's content. Throws
 * WebhookVerificationError otherwise. Pass the raw body as received: JSON that was parsed and serialised again has another
 * signature.
 */
async function verify(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string): Promise<InboundCall> {
  const { id, timestamp, signatures } = readHeaders(headers)
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('The webhook is too old, or its clock and this one differ.')
  }
  const key = await importSecret(secret)
  const content = signedContent(id, timestamp, rawBody)
  for (const signature of signatures) {
    // Constant time: the duration does not depend on where a signature is wrong.
    if (await crypto.subtle.verify('HMAC', key, signature, content)) return parseBody(rawBody)
  }
  throw new WebhookVerificationError('The webhook is not signed with this secret.')
}

/** Creates valid headers for a body, to test your webhook receiver. */
async function testHeaders(
  rawBody: string | Uint8Array,
  secret: string,
  { id = `msg_${crypto.randomUUID()}`, timestampSeconds = Math.floor(Date.now() / 1_000) } = {},
): Promise<Record<(typeof headerNames)[number], string>> {
  const timestamp = String(timestampSeconds)
  const content = signedContent(id, timestamp, rawBody)
  const signature = await crypto.subtle.sign('HMAC', await importSecret(secret), content)
  const text = btoa(String.fromCharCode(...new Uint8Array(signature)))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${text}` }
}

function readHeaders(headers: WebhookHeaders): {
  id: string
  timestamp: string
  signatures: Uint8Array<ArrayBuffer>[]
} {
  const [id, timestamp, signature] = headerNames.map((name) => headerOf(headers, name))
  if (id === undefined || timestamp === undefined || signature === undefined) {
    throw new WebhookVerificationError('The webhook lacks one of webhook-id, webhook-timestamp, webhook-signature.')
  }
  // Signatures of unknown versions are ignored.
  const signatures = signature.split(' ').flatMap((one) => {
    const bytes = one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined
    return bytes === undefined ? [] : [bytes]
  })
  return { id, timestamp, signatures }
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isGetter(headers)) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'object' ? value[0] : value
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function'
}

async function importSecret(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0) throw new TypeError('The secret is whsec_ and Base64 behind it.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function signedContent(id: string, timestamp: string, rawBody: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

function parseBody(rawBody: string | Uint8Array): InboundCall {
  return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)) as InboundCall
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
