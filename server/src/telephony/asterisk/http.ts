// Reads from Asterisk's HTTP server without opening an ARI application: metrics, and what `ringproof doctor` examines.

import { once } from 'node:events'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getOverTls } from 'node:https'
import { text } from 'node:stream/consumers'
import { tlsTrust } from '../sip/tls.ts'

export type AsteriskAccess = {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly caFile?: string | undefined
}

const timeoutMs = 5_000

export async function readFromAsterisk(
  { url, user, password, caFile }: AsteriskAccess,
  path: string,
  signal?: AbortSignal,
): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const get = url.startsWith('https:') ? getOverTls : getPlain
  const request = get(`${url}/${path}`, {
    headers: { authorization },
    timeout: timeoutMs,
    ...(signal ? { signal } : {}),
    ...tlsTrust(caFile),
  })
  request.on('timeout', () => request.destroy(new Error(`Asterisk did not respond within ${timeoutMs} ms`)))
  // A connection that breaks during the response is an error of the request, too.
  request.on('error', () => undefined)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = await text(response)
  if (response.statusCode !== 200) throw new Error(`Asterisk responded to ${path} with status ${response.statusCode}`)
  return body
}
