// Downloads one file to disk, within bounds: of size, of time without data, of time in total, and of redirects, which stay on
// the same host and never leave TLS. What has not changed since the last download is not sent again.

import { createWriteStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Agent, request } from 'undici'
import type { Clock } from '../process/clock.ts'
import { UsageError } from '../process/errors.ts'

// What identifies a version of a file to its server.
export type Validators = { readonly etag?: string; readonly lastModified?: string }

export type DownloadDeps = {
  // Of the certificate authority; undefined: Node's own.
  readonly caFile: string | undefined
  // In real time: it bounds someone else's server.
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly limits?: Limits
}

export type Limits = { readonly bytesMax: number; readonly silenceMs: number; readonly totalMs: number }

const defaultLimits: Limits = { bytesMax: 256 * 1024 * 1024, silenceMs: 30_000, totalMs: 600_000 }
const connectMs = 10_000
const redirectsMax = 3

// Undefined if the file has not changed.
export async function download(
  deps: DownloadDeps,
  url: URL,
  known: Validators,
  path: string,
): Promise<Validators | undefined> {
  const { silenceMs, totalMs } = deps.limits ?? defaultLimits
  const ca = deps.caFile === undefined ? {} : { ca: readFileSync(deps.caFile) }
  const connect = { timeout: connectMs, ...ca }
  const agent = new Agent({ connect, headersTimeout: silenceMs, bodyTimeout: silenceMs })
  const stop = new AbortController()
  const timer = deps.clock.after(totalMs, () => stop.abort(new Error(`not complete after ${totalMs / 1_000} s`)))
  const onAbort = () => stop.abort(new Error('this process is stopping'))
  deps.signal.addEventListener('abort', onAbort)
  try {
    return await transfer(agent, stop.signal, url, known, path, deps.limits ?? defaultLimits)
  } catch (error) {
    throw new UsageError(`${withoutCredentials(url)} cannot be downloaded: ${reasonOf(error, stop.signal)}`)
  } finally {
    timer.stop()
    deps.signal.removeEventListener('abort', onAbort)
    await agent.destroy()
  }
}

async function transfer(
  agent: Agent,
  signal: AbortSignal,
  first: URL,
  known: Validators,
  path: string,
  { bytesMax }: Limits,
): Promise<Validators | undefined> {
  const headers = {
    'user-agent': 'Ringproof',
    'accept-encoding': 'identity',
    ...(known.etag === undefined ? {} : { 'if-none-match': known.etag }),
    ...(known.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified }),
  }
  let url = first
  for (let redirects = 0; ; redirects++) {
    const response = await request(url, { dispatcher: agent, headers, signal })
    const { statusCode, headers: received, body } = response
    const field = (name: string) => [received[name]].flat()[0]
    if (statusCode === 304) {
      await body.dump()
      return undefined
    }
    if (statusCode >= 300 && statusCode < 400) {
      await body.dump()
      if (redirects === redirectsMax) throw new Error(`more than ${redirectsMax} redirects`)
      url = redirected(url, field('location'))
      continue
    }
    if (statusCode !== 200) throw new Error(`the server responded with status ${statusCode}`)
    if (Number(field('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax)
    await pipeline(body, limited(bytesMax), createWriteStream(path, { flags: 'w' }), { signal })
    const [etag, lastModified] = [field('etag'), field('last-modified')]
    return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) }
  }
}

function redirected(from: URL, location: string | undefined): URL {
  if (location === undefined || !URL.canParse(location, from.href)) throw new Error('a redirect without an address')
  const to = new URL(location, from.href)
  if (to.hostname !== from.hostname || (from.protocol === 'https:' && to.protocol !== 'https:')) {
    throw new Error(`it redirects to ${withoutCredentials(to)}. If that is right, set RINGPROOF_REGISTRY_URL to it`)
  }
  return to
}

function limited(bytesMax: number) {
  return async function* pass(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > bytesMax) throw tooLarge(bytesMax)
      yield chunk
    }
  }
}

function tooLarge(bytesMax: number): Error {
  return new Error(`larger than ${bytesMax} bytes`)
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted && signal.reason instanceof Error) return signal.reason.message
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  if (/CERT|ISSUER|SIGNATURE/.test(code)) {
    return `its certificate is not trusted (${code}). Set RINGPROOF_REGISTRY_CA_FILE to its certificate authority`
  }
  return code === '' || error.message.includes(code) ? error.message : `${error.message} (${code})`
}

function withoutCredentials({ origin, pathname }: URL): string {
  return `${origin}${pathname}`
}
