// The Verify API in the role `api`: its actions with their dependencies, and the worker that goes on with ladders.

import {
  cancelOwnLadder,
  checkCode,
  findLadder,
  listOwnLadders,
  showLadder,
  showPublicLadder,
} from '../actions/verifications/ladders.ts'
import { callNext } from '../actions/verifications/next-rung.ts'
import type { LadderDeps } from '../actions/verifications/place-rung.ts'
import { startLadder } from '../actions/verifications/start-ladder.ts'
import type { StartDeps } from '../actions/verifications/start-verification.ts'
import { readApiClients } from '../db/accounts/api-client.ts'
import { unlessSilent } from '../db/core/map-lock-timeout.ts'
import type { SlotMap } from '../db/core/slot-map.ts'
import { type ApiClient, spendingObstacle } from '../domain/accounts/api-client.ts'
import { type ServiceId, slotOfService } from '../domain/core/slot.ts'
import { clientTokenOf, readClientToken } from '../domain/verifications/client-token.ts'
import type { Bus } from '../engine/core/bus.ts'
import type { NoteChange } from '../engine/core/live-hints.ts'
import { createLadderVault } from '../engine/core/vault.ts'
import { createFraudRecorder } from '../engine/protection/fraud-recorder.ts'
import { startLadderWorker } from '../engine/verifications/ladder-worker.ts'
import type { createConcurrencyLimit } from '../http/concurrency-limit.ts'
import type { VerifyActions } from '../http/verify/routes.ts'
import { Refusal, unavailable } from '../process/errors.ts'
import { createRandomBytes } from '../process/random-bytes.ts'
import type { Closing, ServerDeps } from './server-deps.ts'

type Queue = { readonly bus: Bus | undefined; readonly noteChange: NoteChange }

export async function startVerifyApi(
  deps: ServerDeps,
  starts: Omit<StartDeps, 'keepForRepeat'>,
  { bus, noteChange }: Queue,
  limit: ReturnType<typeof createConcurrencyLimit>,
): Promise<{ readonly actions: VerifyActions } & Closing> {
  const { config, clock, log, events, keys } = deps
  const { slots } = starts
  const randomBytes = createRandomBytes()
  const vault = bus ? await createLadderVault(bus, keys, randomBytes, config.timeScale) : noVault
  const ladders: LadderDeps = { ...starts, vault }
  const views = { slots, keys, currency: config.currency }
  const fraud = createFraudRecorder({ slots, clock, log, events, keys, randomBytes })
  const start = fraud.watch(startLadder)
  const worker = startLadderWorker({ ladders, clock, log, noteChange })
  const actions: VerifyActions = {
    start: async (apiClient, command) => {
      const started = await limit.run(apiClient.accountId, () => unlessSilent(start(ladders, apiClient, command)))
      worker.noteStarted()
      noteChange(apiClient.accountId, 'verifications', 'phones', 'start')
      return started
    },
    find: (id) => unlessSilent(findLadder(views, id)),
    show: (ladder) => unlessSilent(showLadder(views, ladder)),
    showPublic: (ladder) => unlessSilent(showPublicLadder(views, ladder)),
    list: (apiClient, command) => unlessSilent(listOwnLadders(views, apiClient, command)),
    // Not of a lost response: it may have been evaluated. A retry under the same key gets its result.
    check: (command) => checkCode({ ...views, randomBytes }, command),
    admitToken: (serviceId) => unlessSilent(admitToken(slots, serviceId)),
    next: async (ladder, command) => {
      const apiClient = await unlessSilent(admitToken(slots, ladder.serviceId))
      const outcome = await limit.run(apiClient.accountId, () =>
        unlessSilent(callNext(ladders, apiClient, { ladder, ...command })),
      )
      noteChange(apiClient.accountId, 'verifications', 'phones')
      return outcome
    },
    cancel: (serviceId, id) => cancelOwnLadder(views, serviceId, id),
    clientToken: ({ id, expiresAt }) => clientTokenOf(keys.sealRecords, id, expiresAt.getTime()),
    readToken: (token) => readClientToken(keys.sealRecords, token, clock.timeOfDayMs()),
  }
  return {
    actions,
    close: async () => {
      await worker.close()
      await fraud.close()
    },
  }
}

// A token proves nothing about its service, which may be off by now.
async function admitToken(slots: SlotMap, serviceId: ServiceId): Promise<ApiClient> {
  const [known] = await readApiClients(slots.databaseOf(slotOfService(serviceId)), [serviceId])
  const obstacle = known?.apiClient ? spendingObstacle(known.apiClient) : 'serviceArchived'
  if (!known?.apiClient || obstacle) throw new Refusal(obstacle ?? 'serviceArchived')
  return known.apiClient
}

// Without NATS nothing can be started.
const noVault: LadderDeps['vault'] = {
  put: async () => {
    throw unavailable('nats_down')
  },
  read: async () => undefined,
  erase: async () => undefined,
}
