// A world of the model in PostgreSQL: how its accounts, services, numbers and keys are named there, and its clock.

import { createHash } from 'node:crypto'
import type { Database } from '../../../server/src/db/core/database.ts'
import type { SlotMap } from '../../../server/src/db/core/slot-map.ts'
import { insertOptOut } from '../../../server/src/db/protection/opt-out.ts'
import { type CallBatches, createCallBatches } from '../../../server/src/db/verifications/call-batches.ts'
import type { VerificationId } from '../../../server/src/domain/core/slot.ts'
import {
  type AccountId,
  numberedId,
  type ServiceId,
  type Slot,
  slotOfAccount,
} from '../../../server/src/domain/core/slot.ts'
import { install } from '../process/server.ts'
import { replaceClock, setClock } from './database-clock.ts'
import { type AcceptStep, numberCount, optedOutNumber } from './steps.ts'
import { type Layout, services } from './world.ts'

// A call that was accepted, and what its order in the queue knows.
export type Order = {
  readonly id: VerificationId
  readonly step: AcceptStep
  leaseId: number
  isDispatched: boolean
}

export type DatabaseWorld = {
  readonly slots: SlotMap
  readonly batches: CallBatches
  readonly accounts: readonly { readonly id: AccountId; readonly database: Database }[]
  readonly serviceIds: readonly ServiceId[]
  readonly numbers: readonly { readonly hash: Buffer; readonly slot: Slot; readonly database: Database }[]
  // 16 bytes of what the model calls this.
  readonly digestOf: (name: string) => Buffer
  // Hexadecimal digest to the model's name of a key; verification ID to the model's ID.
  readonly keys: Map<string, string>
  readonly calls: Map<number, number>
  readonly orders: Order[]
  // No ID of this world is below it.
  readonly firstId: number
  nowMs: number
  leaseCount: number
}

// One database or two, with a clock that the test sets.
export async function createModelDatabases(layout: Layout): Promise<SlotMap> {
  const { slots } = await install(layout.accounts.includes(1) ? 2 : 1)
  for (const database of slots.databases) await replaceClock(database)
  return slots
}

// Several worlds may share the databases, one after another, as long as time does not go back.
export async function createDatabaseWorld(
  slots: SlotMap,
  layout: Layout,
  name: number,
  nowMs: number,
): Promise<DatabaseWorld> {
  const digestOf = (text: string) => createHash('sha256').update(`world ${name} ${text}`).digest()
  const slotOfHome = (home: number | undefined) => (home === 1 ? 32 : 0) as Slot
  const accounts = layout.accounts.map(slotOfHome).map((slot, at) => ({
    id: numberedId(name * 10 + at + 1, slot) as AccountId,
    database: slots.databaseOf(slot),
  }))
  const world: DatabaseWorld = {
    slots,
    batches: createCallBatches(slots, 1),
    accounts,
    serviceIds: services.map(({ account }, at) => {
      const slot = slotOfAccount(accounts[account]?.id as AccountId)
      return numberedId(name * 10 + at + 1, slot) as ServiceId
    }),
    numbers: Array.from({ length: numberCount }, (_, number) => {
      const slot = slotOfHome(layout.numbers[number])
      return { hash: digestOf(`number ${number}`), slot, database: slots.databaseOf(slot) }
    }),
    digestOf: (text) => digestOf(text).subarray(0, 16),
    keys: new Map(),
    calls: new Map(),
    orders: [],
    firstId: firstIdOf(nowMs),
    nowMs,
    leaseCount: 0,
  }
  await moveClock(world, 0)
  for (const { id, database } of accounts) {
    await database.query('INSERT INTO accounts (id, email) VALUES ($1, $2)', [id, `owner-${id}@example.org`])
  }
  for (const database of slots.databases) await insertOptOut(database, numberAt(world, optedOutNumber).hash)
  return world
}

export async function moveClock(world: DatabaseWorld, ms: number): Promise<void> {
  world.nowMs += ms
  await Promise.all(world.slots.databases.map((database) => setClock(database, world.nowMs)))
}

export function accountAt({ accounts }: DatabaseWorld, account: number): DatabaseWorld['accounts'][number] {
  const found = accounts[account]
  if (found === undefined) throw new RangeError(`no account ${account}`)
  return found
}

export function numberAt({ numbers }: DatabaseWorld, number: number): DatabaseWorld['numbers'][number] {
  const found = numbers[number]
  if (found === undefined) throw new RangeError(`no number ${number}`)
  return found
}

// Lease IDs are -1, -2 and so on, as the model counts them.
export function nextLeaseBytes(world: DatabaseWorld, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(world.leaseCount, 0, size)
  world.leaseCount += 1
  return bytes
}

// The lowest verification ID of this second; IDs begin with the seconds since 2026.
function firstIdOf(atMs: number): number {
  return (Math.floor(atMs / 1_000) - Date.UTC(2026) / 1_000) * 2 ** 23
}
