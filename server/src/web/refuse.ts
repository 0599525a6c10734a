import type { WebError, WebRefusal } from '@ringproof/contract/web/api.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Denial, Refusal, UsageError } from '../process/errors.ts'
import type { Logger } from '../process/log/log.ts'

const statuses: Readonly<Record<WebError, number>> = {
  invalid: 400,
  'not-signed-in': 401,
  forbidden: 403,
  'other-account': 409,
  'not-found': 404,
  'wrong-credentials': 422,
  'wrong-code': 422,
  'confirm-person': 403,
  'add-factor': 403,
  throttled: 429,
  'link-used': 410,
  'weak-password': 422,
  'password-needed': 422,
  'account-closed': 409,
  'insecure-origin': 403,
  taken: 409,
  'too-many': 409,
  conflict: 409,
  unavailable: 503,
  'foreign-origin': 403,
  'view-only': 403,
}

export function respondToFailure(log: Logger, failure: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const denial = denialOf(failure)
  if (denial.error === 'unavailable' && failure !== denial)
    log.error({ err: failure, request_id: request.id }, 'web request failed')
  const { error, fields, retryAfterSeconds } = denial
  const refusal: WebRefusal = {
    error,
    ...(fields.length > 0 ? { fields } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
  }
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  // The schema of a success must not cut it.
  reply.code(statuses[error]).type('application/json; charset=utf-8').send(JSON.stringify(refusal))
}

function denialOf(failure: unknown): Denial {
  if (failure instanceof Denial) return failure
  // An action that the operator's command line shares: what it says is about command-line options.
  if (failure instanceof UsageError) return new Denial('invalid')
  if (failure instanceof Refusal) return new Denial('unavailable')
  if (typeof failure !== 'object' || failure === null) return new Denial('unavailable')
  const { validation, statusCode } = failure as { validation?: { instancePath: string }[]; statusCode?: number }
  if (validation)
    return new Denial('invalid', validation.map(({ instancePath }) => instancePath.slice(1)).filter(Boolean))
  return new Denial(statusCode !== undefined && statusCode < 500 ? 'invalid' : 'unavailable')
}
