// From a failure to an response. Refusals are expected and told in full; anything else is our fault and told to the log.

import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fraudRuleOf } from '../domain/fraud/fraud-rule.ts'
import { Refusal, refusalSentence } from '../errors.ts'
import { languageOf } from './language.ts'

// What Fastify itself could not read.
const unreadableErrors: Readonly<Record<string, RefusalName>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'bodyTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'mediaTypeUnknown',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformedRequest',
  FST_ERR_BAD_URL: 'malformedRequest',
  ECONNRESET: 'malformedRequest',
}

// The refusal that a failure of Fastify stands for; undefined when it stands for none.
export function unreadableRefusal(error: unknown): Refusal | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const refusal = unreadableErrors[code]
  return refusal && new Refusal(refusal)
}

// These keep their status even for services that want every response to be 200: balancers and clients act on it.
const statusesKept = new Set<number>([401, 429])

export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  const { code, status } = refusals[refusal.refusal]
  request.notes.code = code
  request.notes.rule = fraudRuleOf(refusal.refusal)
  const isHidden = request.notes.apiClient?.statusStyle === 'ok' && !statusesKept.has(status)
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds)
  if (status === 405) reply.header('allow', 'GET, POST')
  if (refusal.refusal === 'repeatNotSupported') {
    reply.header('deprecation', '@1767225600').header('sunset', 'Thu, 01 Jan 2026 00:00:00 GMT')
  }
  const error = refusalSentence(refusal, languageOf(request.headers['accept-language']))
  reply
    .status(isHidden ? 200 : status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ status: false, error, code }))
}
