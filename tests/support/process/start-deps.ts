// What a process needs to start verifications, for tests that start them without one.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { StartDeps, startVerification } from '../../../server/src/actions/verifications/start-verification.ts'
import { readApiClients } from '../../../server/src/db/accounts/api-client.ts'
import { createRoutingTable } from '../../../server/src/db/trunks/routing-table.ts'
import { createCallBatches } from '../../../server/src/db/verifications/call-batches.ts'
import type { ApiClient } from '../../../server/src/domain/accounts/api-client.ts'
import { slotOfService } from '../../../server/src/domain/core/slot.ts'
import { emptyNumberingIndex } from '../../../server/src/domain/numbers/numbering-index.ts'
import type { PhoneNumber } from '../../../server/src/domain/numbers/phone-number.ts'
import { createClock } from '../../../server/src/process/clock.ts'
import { Refusal } from '../../../server/src/process/errors.ts'
import { type NamedKeys, namedKeys, readSecrets } from '../../../server/src/process/secrets.ts'
import { atEnd } from '../at-end.ts'
import type { Installation, TestService } from './server.ts'

export async function createStartDeps(
  { slots, environment }: Installation,
  dispatchCall: StartDeps['dispatchCall'],
): Promise<StartDeps & { readonly keys: NamedKeys }> {
  const table = await createRoutingTable(slots.globalDatabase, createClock(1))
  atEnd(table.close)
  return {
    slots,
    batches: createCallBatches(slots, 1),
    routing: table.current,
    keys: namedKeys(readSecrets(environment['RINGPROOF_SECRETS_DIR'] ?? '')),
    numbers: () => emptyNumberingIndex,
    randomBytes,
    monotonicMs: () => performance.now(),
    timeScale: 1,
    prefixHourMax: undefined,
    dispatchCall,
    queueFaultOf: () => undefined,
    openOrdersOf: () => 0,
    keepForRepeat: async () => {},
  }
}

export async function clientOf({ slots }: Pick<Installation, 'slots'>, service: TestService): Promise<ApiClient> {
  const { serviceId } = service
  const [known] = await readApiClients(slots.databaseOf(slotOfService(serviceId)), [serviceId])
  assert(known?.apiClient)
  return known.apiClient
}

export function flashRequest(phone: string, unique?: string, client = ''): Parameters<typeof startVerification>[2] {
  return { phone: phone as PhoneNumber, code: undefined, client, unique, mode: 'flash' }
}

export function refusedWith(name: string): (error: unknown) => boolean {
  return (error) => error instanceof Refusal && error.refusal === name
}
