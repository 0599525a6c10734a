// Load shedding. A refused request runs on the same thread as an accepted one, so refusing must be cheap. While too many
// starts are in flight, further start requests are refused before authentication: code 5, counted but not logged. The
// status is 503 even for services that want status 200 always, because load balancers act on it.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { refusals } from '@ringproof/contract/errors.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import type { Clock } from '../process/clock.ts'
import { refusalSentence, unavailable } from '../process/errors.ts'
import type { Events } from '../process/metrics/events.ts'
import type { ErrorLink } from './error-link.ts'
import { languageOf } from './language.ts'
import { isVerifyPath, problemBody } from './verify/problems.ts'
import { bodyBytesMax, declaresLargeBody } from './web-server.ts'

type Deps = {
  readonly isSaturated: () => boolean
  readonly errorLink: ErrorLink
  readonly problemType: (code: string) => string
  readonly clock: Clock
  readonly events: Events
}

// Other spellings of these paths are refused later, by the full request path.
const starts = /^\/v1\.0\/(initCall|initRepeat|inboundCallWaiting)(?:\?|$)/
const verifyStarts = /^\/v2\/verifications(?:\/\w+\/(next))?$/
const refusal = unavailable('saturated')
const { status, code } = refusals[refusal.refusal]

export function shedding(
  { isSaturated, errorLink, problemType, clock, events }: Deps,
  listener: RequestListener,
): RequestListener {
  const link = errorLink(code)
  return (request, response) => {
    const apiMethod = isSaturated() ? startedBy(request) : undefined
    if (apiMethod === undefined) {
      listener(request, response)
      return
    }
    const startedMs = clock.monotonicMs()
    afterBody(request, response, () => {
      if (isVerifyPath(request.url ?? '')) sendProblemUnavailable(request, response, problemType)
      else sendUnavailable(request, response, link)
      const seconds = (clock.monotonicMs() - startedMs) / 1000
      events.startUnavailable('saturated')
      events.requestCompleted({ apiMethod, httpStatus: status, code, seconds })
    })
  }
}

// The name of the method or operation, if the request starts a call.
function startedBy({ method, url = '' }: IncomingMessage): string | undefined {
  const verify = method === 'POST' ? verifyStarts.exec(url) : null
  if (verify) return verify[1] === undefined ? 'startVerification' : 'nextCall'
  return starts.exec(url)?.[1]
}

// To keep the connection alive, the body is read before responding, unless it is too large.
function afterBody(request: IncomingMessage, response: ServerResponse, respond: () => void): void {
  if (declaresLargeBody(request)) {
    respond()
    return
  }
  let bytes = 0
  request.once('end', () => {
    if (!response.headersSent) respond()
  })
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= bodyBytesMax || response.headersSent) return
    response.setHeader('connection', 'close')
    respond()
  })
}

function sendUnavailable({ headers }: IncomingMessage, response: ServerResponse, link: string): void {
  const body = bodies[languageOf(headers['accept-language'])]
  response
    .writeHead(status, {
      ...headersOf(randomUUID(), body.length),
      'content-type': 'application/json; charset=utf-8',
      link,
    })
    .end(body)
}

function sendProblemUnavailable(
  { headers }: IncomingMessage,
  response: ServerResponse,
  type: Deps['problemType'],
): void {
  const id = randomUUID()
  const body = Buffer.from(problemBody(type, id, languageOf(headers['accept-language']), refusal))
  response
    .writeHead(status, { ...headersOf(id, body.length), 'content-type': 'application/problem+json; charset=utf-8' })
    .end(body)
}

function headersOf(id: string, length: number) {
  return {
    'content-length': length,
    'retry-after': String(refusal.retryAfterSeconds),
    'x-request-id': id,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
}

const bodies = { en: bodyIn('en'), ru: bodyIn('ru') }

function bodyIn(language: Language): Buffer {
  const error = refusalSentence(refusal, language)
  return Buffer.from(JSON.stringify({ status: false, error, code }))
}
