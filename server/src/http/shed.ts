// The respond to more than goes through. What is refused costs the same thread as what is accepted, so a process that takes its
// time to refuse half of what comes has little left for the other half. While too many calls are under way, requests to start
// one are turned away before anybody has looked at their key: code 5, whoever asks, counted and not logged. Such a status is
// given even to services that want every respond to be 200, as balancers act on it.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { refusals } from '@ringproof/contract/errors.ts'
import type { Clock } from '../clock.ts'
import { refusalSentence, retryDelays, unavailable } from '../errors.ts'
import type { Events } from '../events.ts'
import { languageOf } from './language.ts'
import { announcesTooMuch, bodyBytesMax } from './web-server.ts'

type Deps = { readonly isSaturated: () => boolean; readonly clock: Clock; readonly events: Events }

// Other spellings of these paths take the long way, and are refused at its end.
const starts = /^\/v1\.0\/(initCall|inboundCallWaiting)(?:\?|$)/
const { status, code } = refusals.unavailable

export function shedding({ isSaturated, clock, events }: Deps, listener: RequestListener): RequestListener {
  return (request, response) => {
    const apiMethod = isSaturated() ? starts.exec(request.url ?? '')?.[1] : undefined
    if (apiMethod === undefined) {
      listener(request, response)
      return
    }
    const startedMs = clock.monotonicMs()
    whenBodyIsGone(request, response, () => {
      turnAway(request, response)
      const seconds = (clock.monotonicMs() - startedMs) / 1000
      events.requestCompleted({ apiMethod, httpStatus: status, code, seconds })
    })
  }
}

// The connection is to live on, so the body must be out of the way; unless there is too much of it, which nobody waits for.
function whenBodyIsGone(request: IncomingMessage, response: ServerResponse, respond: () => void): void {
  if (announcesTooMuch(request)) {
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

function turnAway({ headers }: IncomingMessage, response: ServerResponse): void {
  const body = bodies[languageOf(headers['accept-language'])]
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      'retry-after': String(retryDelays.busy),
      'x-request-id': randomUUID(),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .end(body)
}

const bodies = { en: bodyIn('en'), ru: bodyIn('ru') }

function bodyIn(language: 'en' | 'ru'): Buffer {
  const error = refusalSentence(unavailable('busy'), language)
  return Buffer.from(JSON.stringify({ status: false, error, code }))
}
