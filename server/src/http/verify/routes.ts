// The Verify API, /v2: a request passes the same steps as one to a method of /v1.0 (app.ts), with its key in the header alone. What a
// client token may do, it may do with one verification.

import type { PublicVerification, Verification, VerificationList } from '@ringproof/contract/v2/verification.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CheckedCode, ListCommand } from '../../actions/verifications/ladders.ts'
import type { NextRung } from '../../actions/verifications/next-rung.ts'
import type { StartedLadder, StartLadderCommand } from '../../actions/verifications/start-ladder.ts'
import type { ApiClient } from '../../domain/accounts/api-client.ts'
import type { KeyScope } from '../../domain/accounts/api-key.ts'
import type { ServiceMode } from '../../domain/accounts/modes.ts'
import { checkServiceState } from '../../domain/accounts/service.ts'
import type { ServiceId, VerificationId } from '../../domain/core/slot.ts'
import { isClientToken } from '../../domain/verifications/client-token.ts'
import type { Ladder } from '../../domain/verifications/ladder.ts'
import { nameOfVerification, parseVerificationName } from '../../domain/verifications/verification-name.ts'
import { Refusal } from '../../process/errors.ts'
import { authenticateHeader, type Gate, limitRate, rejectThrottledAddress } from '../authenticate-request.ts'
import { notesOf } from '../request-notes.ts'
import { VerifyProblem } from './problems.ts'
import { checkCommand, listCommand, nextCommand, startCommand } from './requests.ts'

// Bound to their dependencies in roles/verify.ts.
export type VerifyActions = {
  readonly start: (apiClient: ApiClient, command: StartLadderCommand) => Promise<StartedLadder>
  readonly find: (id: VerificationId) => Promise<Ladder | undefined>
  readonly show: (ladder: Ladder) => Promise<Verification>
  readonly showPublic: (ladder: Ladder) => Promise<PublicVerification>
  readonly list: (apiClient: ApiClient, command: ListCommand) => Promise<VerificationList>
  readonly check: (command: {
    readonly serviceId: ServiceId
    readonly id: VerificationId
    readonly code: string
    readonly idempotencyKey: string | undefined
  }) => Promise<CheckedCode>
  readonly next: (
    ladder: Ladder,
    command: { readonly callsBefore: number; readonly mode: ServiceMode | undefined },
  ) => Promise<NextRung>
  readonly cancel: (serviceId: ServiceId, id: VerificationId) => Promise<unknown>
  readonly clientToken: (ladder: Ladder) => string
  // Refuses the token of a service that may not be served.
  readonly admitToken: (serviceId: ServiceId) => Promise<ApiClient>
  readonly readToken: (token: string) => VerificationId | undefined
}

type Deps = {
  readonly actions: VerifyActions
  readonly gate: Gate
  readonly isAlternative: (request: FastifyRequest) => boolean
}

// Who asks about a verification: its service, or the person with its token.
type Asked = { readonly ladder: Ladder; readonly isToken: boolean }

const base = '/v2/verifications'
// Of one client token.
const tokenRequestsPerSecond = 5

export function addVerifyApi(app: FastifyInstance, deps: Deps): void {
  const route = (
    method: 'GET' | 'POST',
    name: string,
    path: string,
    serve: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) =>
    app.route({
      method,
      url: `${base}${path}`,
      onRequest: (request, _, done) => {
        notesOf(request).apiMethod = name
        rejectThrottledAddress(deps.gate, request)
        done()
      },
      handler: serve,
    })
  route('POST', 'startVerification', '', (request, reply) => start(deps, request, reply))
  route('GET', 'listVerifications', '', (request) => list(deps, request))
  route('GET', 'getVerification', '/:id', (request) => get(deps, request))
  route('POST', 'checkCode', '/:id/check', (request) => check(deps, request))
  route('POST', 'nextCall', '/:id/next', (request) => next(deps, request))
  route('POST', 'cancelVerification', '/:id/cancel', (request) => cancel(deps, request))
}

async function start(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { actions } = deps
  const apiClient = await admit(deps, request, 'start')
  const started = await actions.start(apiClient, startCommand(request))
  if (started.outcome === 'key-reused') throw new VerifyProblem('idempotencyKeyReused')
  if (started.outcome === 'guesses-used-up') throw new VerifyProblem('guessesUsedUp', { retry_after: 3_600 })
  const ladder = started.id === undefined ? undefined : await actions.find(started.id)
  if (!ladder) throw new VerifyProblem('verificationUnknown')
  const isReplay = started.outcome === 'replayed'
  if (isReplay) reply.header('idempotent-replayed', 'true')
  reply.status(isReplay ? 200 : 201).header('location', `${base}/${nameOfVerification(ladder.id)}`)
  return { verification: await actions.show(ladder), client_token: actions.clientToken(ladder) }
}

async function list(deps: Deps, request: FastifyRequest): Promise<unknown> {
  const apiClient = await admit(deps, request, 'read')
  return deps.actions.list(apiClient, listCommand(request))
}

async function get(deps: Deps, request: FastifyRequest): Promise<unknown> {
  return show(deps, await find(deps, request, 'read'))
}

// 200 means approved. Nothing else is 2xx.
async function check(deps: Deps, request: FastifyRequest): Promise<unknown> {
  const { actions } = deps
  const asked = await find(deps, request, 'start')
  const { id, serviceId } = asked.ladder
  if (asked.isToken) await actions.admitToken(serviceId)
  const { result, checksLeft } = await actions.check({ serviceId, id, ...checkCommand(request) })
  const now = async () => (await actions.find(id)) ?? asked.ladder
  const left = { checks_left: checksLeft ?? 0 }
  switch (result) {
    case 'approved':
      return show(deps, { ...asked, ladder: await now() })
    case 'wrong':
      throw new VerifyProblem('codeWrong', left)
    case 'not-called':
      throw new VerifyProblem('notCalledYet', left)
    case 'key-reused':
      throw new VerifyProblem('idempotencyKeyReused')
    case 'over':
      throw new VerifyProblem('verificationOver', { verification: await actions.showPublic(await now()) })
    case 'unknown':
      throw new VerifyProblem('verificationUnknown')
  }
}

async function next(deps: Deps, request: FastifyRequest): Promise<unknown> {
  const { actions } = deps
  const asked = await find(deps, request, 'start')
  const outcome = await actions.next(asked.ladder, nextCommand(request))
  const ladder = (await actions.find(asked.ladder.id)) ?? asked.ladder
  switch (outcome) {
    case 'called':
    case 'ladder-exists':
      return show(deps, { ...asked, ladder })
    case 'ladder-over':
      throw new VerifyProblem('verificationOver', { verification: await actions.showPublic(ladder) })
    case 'no-channel-left':
      throw new VerifyProblem('noChannelLeft')
    case 'too-late':
      throw new VerifyProblem('tooLateToCall')
  }
}

async function cancel(deps: Deps, request: FastifyRequest): Promise<unknown> {
  const { actions } = deps
  const { ladder } = await find(deps, request, 'start', { allowsToken: false })
  await actions.cancel(ladder.serviceId, ladder.id)
  const now = (await actions.find(ladder.id)) ?? ladder
  if (now.state === 'cancelled') return actions.show(now)
  throw new VerifyProblem('verificationOver', { verification: await actions.showPublic(now) })
}

async function find(
  deps: Deps,
  request: FastifyRequest,
  scope: KeyScope,
  { allowsToken = true }: { readonly allowsToken?: boolean } = {},
): Promise<Asked> {
  const { actions } = deps
  const { id: name } = request.params as { readonly id: string }
  const id = parseVerificationName(name)
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (isClientToken(token)) {
    limitRate(deps.gate, request, '', deps.gate.requestsPerSecond)
    const ofToken = allowsToken ? actions.readToken(token) : undefined
    if (ofToken === undefined || ofToken !== id) {
      deps.gate.limits.noteFailure(notesOf(request).address)
      throw new VerifyProblem('tokenInvalid')
    }
    if (deps.isAlternative(request)) throw new Refusal('plainHttpRefused')
    limitRate(deps.gate, request, `verification ${ofToken}`, tokenRequestsPerSecond)
    const ladder = await actions.find(ofToken)
    if (!ladder) throw new VerifyProblem('verificationUnknown')
    return { ladder, isToken: true }
  }
  const apiClient = await admit(deps, request, scope)
  const ladder = id === undefined ? undefined : await actions.find(id)
  // Another service's ID and an unknown one get the same response.
  if (ladder?.serviceId !== apiClient.serviceId) throw new VerifyProblem('verificationUnknown')
  return { ladder, isToken: false }
}

// The steps up to the state of the service.
async function admit({ gate, isAlternative }: Deps, request: FastifyRequest, scope: KeyScope): Promise<ApiClient> {
  const apiClient = await authenticateHeader(gate, request, scope)
  const { address } = notesOf(request)
  checkServiceState(apiClient, { address, isAlternative: isAlternative(request), scope })
  return apiClient
}

function show({ actions }: Deps, { ladder, isToken }: Asked): Promise<unknown> {
  return isToken ? actions.showPublic(ladder) : actions.show(ladder)
}
