// What proves to the signalling edge that a request is ours, and to us that an event is the edge's: a keyed digest with the key that
// `ringproof edge prepare` writes into its configuration. It is never sent.
//
// Kamailio without a cryptographic library has SHA-256 alone, so the digest is nested: the outer key and the digest of the inner key and
// the text. Each key fills one block, as in HMAC (ADR 41).

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type EdgeKeys = { readonly inner: string; readonly outer: string }

export function edgeKeys(ariPassword: string): EdgeKeys {
  const key = (name: string) => createHmac('sha256', ariPassword).update(name).digest('hex')
  return { inner: key('edge inner'), outer: key('edge outer') }
}

export function signatureOf({ inner, outer }: EdgeKeys, ...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256').update(inner)
  for (const part of parts) hash.update(part)
  return createHash('sha256').update(outer).update(hash.digest('hex')).digest('hex')
}

export function isSignature(given: string, keys: EdgeKeys, ...parts: readonly (string | Buffer)[]): boolean {
  const bytes = Buffer.from(given, 'latin1')
  return bytes.length === signatureChars && timingSafeEqual(bytes, Buffer.from(signatureOf(keys, ...parts)))
}

export const signatureChars = 64

// Asterisk cannot sign: the address of its outbound proxy contains this.
export function asteriskKey(keys: EdgeKeys): string {
  return signatureOf(keys, 'asterisk')
}

// As deploy/edge/kamailio.cfg lists them. The Via names the call, our address and the attempt.
const signedHeaders = ['Via', 'From', 'X-Edge-Boot', 'X-Ring-Seconds', 'X-Edge-Branch'] as const
const orderHeaders = ['X-Edge-Nonce', 'X-Edge-Carriers', 'X-Edge-Received', 'X-Edge-Unknown'] as const
const signedMethods: ReadonlySet<string> = new Set(['INVITE', 'CANCEL', 'PUBLISH'])

// A request of ours with its signature, if its method needs one.
export function signRequest(keys: EdgeKeys, text: string): string {
  const headEnd = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const [method = '', uri = ''] = first.split(' ')
  if (!signedMethods.has(method)) return text
  const valueOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
  const values = [...signedHeaders, ...orderHeaders].map(valueOf)
  const signature = signatureOf(keys, [method, uri, ...values].join('|'))
  return `${first}\r\nX-Edge-Signature: ${signature}${text.slice(first.length)}`
}
