// Failures of /v2 as problems (RFC 9457). A refusal of /v1.0 has the same name here, in snake case. Unlike there, the status is always
// that of the problem, whatever the service has chosen for /v1.0.

import { refusals } from '@ringproof/contract/errors.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import { type ProblemName, problemCode, problemStatus, problemTexts } from '@ringproof/contract/v2/problems.ts'
import type { PublicVerification } from '@ringproof/contract/v2/verification.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fraudRuleOf } from '../../domain/protection/fraud-limits.ts'
import { Refusal, refusalSentence } from '../../process/errors.ts'
import { languageOf } from '../language.ts'
import { notesOf } from '../request-notes.ts'
import { pathOf } from '../request-path.ts'

type Extras = {
  readonly retry_after?: number
  readonly errors?: readonly { readonly field: string; readonly detail: string }[]
  readonly checks_left?: number
  readonly verification?: PublicVerification
}

// A problem that only /v2 has, or with more than a sentence.
export class VerifyProblem extends Error {
  override name = 'VerifyProblem'
  readonly problem: ProblemName
  readonly extras: Extras

  constructor(problem: ProblemName, extras: Extras = {}) {
    super(problem)
    this.problem = problem
    this.extras = extras
  }
}

// As the router reads the path: `//v2` is the same.
export function isVerifyPath(url: string): boolean {
  try {
    const path = pathOf(url)
    return path === '/v2' || path.startsWith('/v2/')
  } catch {
    // No route has a path that cannot be decoded.
    return false
  }
}

export function sendProblem(
  problemType: (code: string) => string,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: VerifyProblem | Refusal,
): void {
  const language = languageOf(request.headers['accept-language'])
  const notes = notesOf(request)
  const name = nameOf(failure)
  const status = problemStatus(name)
  notes.code = name in refusals ? refusals[name as keyof typeof refusals].code : status
  if (failure instanceof Refusal) {
    notes.rule = fraudRuleOf(failure.refusal)
    notes.cause = failure.unavailableCause
  }
  const { retry_after: retryAfter } = extrasOf(failure)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  if (name === 'methodNotAllowed') reply.header('allow', 'GET, POST')
  reply
    .status(status)
    .type('application/problem+json; charset=utf-8')
    .send(problemBody(problemType, request.id, language, failure))
}

export function problemBody(
  problemType: (code: string) => string,
  requestId: string,
  language: Language,
  failure: VerifyProblem | Refusal,
): string {
  const name = nameOf(failure)
  const code = problemCode(name)
  const { title, detail } = problemTexts(name, language)
  return JSON.stringify({
    type: problemType(code),
    title,
    status: problemStatus(name),
    detail: failure instanceof Refusal ? refusalSentence(failure, language) : detail,
    code,
    request_id: requestId,
    ...extrasOf(failure),
  })
}

function nameOf(failure: VerifyProblem | Refusal): ProblemName {
  return failure instanceof Refusal ? failure.refusal : failure.problem
}

function extrasOf(failure: VerifyProblem | Refusal): Extras {
  if (failure instanceof VerifyProblem) return failure.extras
  return failure.retryAfterSeconds === undefined ? {} : { retry_after: failure.retryAfterSeconds }
}
