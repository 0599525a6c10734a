// Accounts in chosen slots, calls of them, and moves of a slot between two databases.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createAccount } from '../../../server/src/actions/accounts/accounts.ts'
import { createService } from '../../../server/src/actions/accounts/services.ts'
import type { MoveDeps, PlacedDatabase } from '../../../server/src/actions/installation/move-slot.ts'
import { type Database, nameOf } from '../../../server/src/db/core/database.ts'
import { checksumOf } from '../../../server/src/db/core/slot-copy.ts'
import { inExemptSession } from '../../../server/src/db/core/slot-move.ts'
import { slotTables } from '../../../server/src/db/core/slot-tables.ts'
import { noCaps } from '../../../server/src/domain/accounts/service.ts'
import type { Slot } from '../../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import type { CallRequest } from '../../../server/src/domain/verifications/call-request.ts'
import { createClock } from '../../../server/src/process/clock.ts'
import type { Installation, TestService } from '../process/server.ts'
import { callRequest } from './call-request.ts'

export function placed(database: Database): PlacedDatabase {
  return { name: nameOf(database), database }
}

export function moveDeps(
  source: Database,
  target: Database,
  beforeSwitch: () => Promise<void> = async () => undefined,
): MoveDeps {
  const [from, to] = [placed(source), placed(target)]
  return { source: from, target: to, clock: createClock(1), report: () => undefined, beforeSwitch }
}

export async function makeServiceIn(
  { slots, recordKeys }: Pick<Installation, 'slots' | 'recordKeys'>,
  slot: number,
): Promise<TestService> {
  const actor = { address: 'test', userAgent: '', operator: 'test' }
  const deps = { slots, recordKeys, newServiceCaps: noCaps, randomBytes: () => Uint8Array.of(slot) }
  const email = `${randomBytes(8).toString('hex')}@example.org`
  const accountId = await createAccount(deps, actor, { email, balance: 1e9 as MicroAmount, tariff: 'uni' })
  const made = await createService({ ...deps, randomBytes }, actor, { accountId, name: 'Shop' })
  return { accountId, ...made, bearer: { authorization: `Bearer ${made.key}.${made.serviceId}` } }
}

// A call to a number of the given slot.
export function callOf(service: Parameters<typeof callRequest>[0], numberSlot: number): CallRequest {
  const optOutDigest = Buffer.from(randomBytes(32).fill(numberSlot, 3, 4))
  return callRequest(service, { keyDigests: [randomBytes(16)], optOutDigest })
}

// What a database holds of a slot, hidden rows included, by table.
export async function rowsOf(database: Database, slot: Slot): Promise<ReadonlyMap<string, string>> {
  return inExemptSession(database, slot, async (session) => {
    const checksums = new Map<string, string>()
    for (const table of slotTables) checksums.set(table.name, await checksumOf(session, slot, table))
    return checksums
  })
}

export async function assertEmpty(database: Database, slot: Slot): Promise<void> {
  for (const [table, checksum] of await rowsOf(database, slot)) assert.equal(checksum, '0 rows, 0', table)
  const { rows } = await database.query<{ fences: number }>(
    `SELECT (SELECT count(*) FROM pg_policy) + (SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'slot_move%')
       + (SELECT count(*) FROM pg_class WHERE relrowsecurity OR relforcerowsecurity) AS fences`,
  )
  assert.equal(rows[0]?.fences, 0, 'a trigger or a policy is left')
}
