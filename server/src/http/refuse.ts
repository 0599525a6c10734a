// From a failure to a response. A refusal is expected and goes to the client. Any other error is internal: it goes to the log,
// and the client gets the code for an internal error.

import { refusals } from '@ringproof/contract/errors.ts'
import { requestFaults } from '@ringproof/contract/request-faults.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fraudRuleOf } from '../domain/protection/fraud-limits.ts'
import { Refusal, refusalSentence } from '../process/errors.ts'
import type { Logger } from '../process/log/log.ts'
import type { ErrorLink } from './error-link.ts'
import { languageOf } from './language.ts'
import { notesOf } from './request-notes.ts'
import { isVerifyPath, sendProblem, VerifyProblem } from './verify/problems.ts'

// Requests that Fastify itself could not read.
const parseErrors: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal('bodyTooLarge'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Refusal('mediaTypeUnknown'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Refusal('malformedRequest', { fault: requestFaults.cutShort }),
  FST_ERR_BAD_URL: () => new Refusal('malformedRequest', { fault: requestFaults.badEscape }),
  ECONNRESET: () => new Refusal('malformedRequest', { fault: requestFaults.cutShort }),
}

// The refusal for an error of Fastify. Undefined: an internal error.
function unreadableRefusal(error: unknown): Refusal | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return parseErrors[code]?.()
}

// Load balancers and clients act on these, so they stay even for services that want 200 for every response. A limit of a number
// or a cap has status 429, too, but its client needs the body: some throw the body of a 429 away.
const codesKept = new Set<number>([401, 429])

type FailureDeps = {
  readonly log: Logger
  readonly errorLink: ErrorLink
  readonly problemType: (code: string) => string
  // Refuses a request without a valid key.
  readonly authenticate: (request: FastifyRequest) => Promise<unknown>
}

export function respondToFailure(
  deps: FailureDeps,
  failure: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (failure instanceof VerifyProblem) {
    sendProblem(deps.problemType, request, reply, failure)
    return
  }
  if (failure instanceof Refusal) {
    sendRefusal(deps, request, reply, failure)
    return
  }
  // Handling a failure may fail as well, and the client must still get a response of the contract.
  refusalOf(deps, failure, request)
    .catch(() => new Refusal('internalError'))
    .then((refusal) => sendRefusal(deps, request, reply, refusal))
    .catch(() => reply.raw.destroy())
}

async function refusalOf(deps: FailureDeps, error: unknown, request: FastifyRequest): Promise<Refusal> {
  const unreadable = unreadableRefusal(error)
  if (!unreadable) {
    deps.log.error({ err: error, request_id: request.id, api_method: notesOf(request).apiMethod }, 'request failed')
    return new Refusal('internalError')
  }
  try {
    // The body was not read, so only the key in the header counts.
    await deps.authenticate(request)
    return unreadable
  } catch (failure) {
    return failure instanceof Refusal ? failure : refusalOf(deps, failure, request)
  }
}

function sendRefusal(
  { errorLink, problemType }: FailureDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): void {
  if (isVerifyPath(request.url)) {
    sendProblem(problemType, request, reply, refusal)
    return
  }
  const { code, status } = refusals[refusal.refusal]
  const notes = notesOf(request)
  notes.code = code
  notes.rule = fraudRuleOf(refusal.refusal)
  notes.cause = refusal.unavailableCause
  const hidesStatus = notes.apiClient?.statusStyle === 'ok' && !codesKept.has(code)
  reply.header('link', errorLink(code))
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds)
  if (refusal.refusal === 'methodNotAllowed') reply.header('allow', 'GET, POST')
  if (refusal.refusal === 'repeatNotSupported') {
    reply.header('deprecation', '@1767225600').header('sunset', 'Thu, 01 Jan 2026 00:00:00 GMT')
  }
  const language = languageOf(request.headers['accept-language'])
  notes.refused = { refusal, language }
  const error = refusalSentence(refusal, language)
  reply
    .status(hidesStatus ? 200 : status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ status: false, error, code }))
}
