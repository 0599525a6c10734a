// What is known about callers, kept in memory so that a request need not ask the record who sends it. It is only as good
// as the news of changes, so each database has a listener, and the cache of its slots lives and dies with it:
//
//   deaf        no listener: every request asks the record. A connection is tried again and again.
//   listening   entries are kept. A notification drops the service's entry, or all of an account.
//   → deaf      when the connection breaks, or does not answer a ping in time: all entries are dropped at once.
//
// An entry is the promise of a read, put in before the read begins. A notification that comes while the read is under
// way drops the promise, so a result that may be older than the change is used by those who already wait, and not kept.

import type { Notification, PoolClient } from 'pg'
import type { Clock } from '../clock.ts'
import type { KnownCaller } from '../domain/caller.ts'
import { type AccountId, type ServiceId, slotOfService } from '../domain/slot.ts'
import { readCallers } from './caller.ts'
import type { Database } from './database.ts'
import { type MicroBatch, microBatch } from './micro-batch.ts'
import type { SlotMap } from './slot-map.ts'

export type CallerCache = {
  // With its age: keys that end by themselves are judged by it.
  readonly find: (serviceId: ServiceId) => Promise<{ readonly known: KnownCaller; readonly ageMs: number } | undefined>
  readonly isListening: () => boolean
  readonly close: () => Promise<void>
}

type Entry = {
  readonly readAtMs: number
  readonly known: Promise<KnownCaller | undefined>
  // Once it has been read.
  accountId: AccountId | undefined
}
type Ear = {
  // Whoever asks while it is deaf asks together with others: there may be many of them.
  readonly read: MicroBatch<ServiceId, KnownCaller | undefined>
  readonly entries: Map<ServiceId, Entry>
  isListening: boolean
}

const entriesMax = 50_000
const retryMs = 250
const pingMs = 1_000

export function openCallerCache(slots: SlotMap, clock: Clock): CallerCache {
  const ears = new Map<Database, Ear>()
  const closing = new AbortController()
  const listeners = slots.databases.map((database) => {
    const read = microBatch((ids: readonly ServiceId[]) => readCallers(database, ids))
    const ear: Ear = { read, entries: new Map(), isListening: false }
    ears.set(database, ear)
    return keepListening(database, ear, clock, closing.signal)
  })
  return {
    find: async (serviceId) => {
      const ear = ears.get(slots.databaseOf(slotOfService(serviceId)))
      if (!ear) throw new RangeError('a slot map has grown a database')
      const entry = entryOf(ear, serviceId, clock)
      const known = await entry.known
      return known && { known, ageMs: clock.monotonicMs() - entry.readAtMs }
    },
    isListening: () => [...ears.values()].every((ear) => ear.isListening),
    close: async () => {
      closing.abort()
      await Promise.all(listeners)
    },
  }
}

function entryOf(ear: Ear, serviceId: ServiceId, clock: Clock): Entry {
  const kept = ear.entries.get(serviceId)
  if (kept) return kept
  const known = ear.read(serviceId)
  const entry: Entry = { readAtMs: clock.monotonicMs(), known, accountId: undefined }
  if (!ear.isListening) return entry
  if (ear.entries.size >= entriesMax) ear.entries.clear()
  ear.entries.set(serviceId, entry)
  // Neither a failure nor an unknown service is kept: the one passes, the other would let strangers fill the memory.
  const forget = () => {
    if (ear.entries.get(serviceId) === entry) ear.entries.delete(serviceId)
  }
  known.then((found) => (found ? (entry.accountId = found.caller.accountId) : forget()), forget)
  return entry
}

async function keepListening(database: Database, ear: Ear, clock: Clock, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    const client = await database.connect().catch(() => undefined)
    if (client) await listenUntilDropped(client, ear, clock, closing)
    await clock.sleep(retryMs, closing)
  }
}

async function listenUntilDropped(client: PoolClient, ear: Ear, clock: Clock, closing: AbortSignal): Promise<void> {
  const dropped = new AbortController()
  const drop = () => dropped.abort()
  const hear = ({ payload = '' }: Notification) => forgetChanged(ear.entries, payload)
  client.on('error', drop)
  client.on('end', drop)
  client.on('notification', hear)
  closing.addEventListener('abort', drop)
  try {
    await client.query('LISTEN callers_changed')
    ear.isListening = true
    while (!dropped.signal.aborted) {
      await clock.sleep(pingMs, dropped.signal)
      await answersInTime(client, clock, dropped.signal)
    }
  } catch {
    // Whatever broke, what follows is the same: forget, and connect again.
  } finally {
    ear.isListening = false
    ear.entries.clear()
    closing.removeEventListener('abort', drop)
    client.off('notification', hear)
    client.off('end', drop)
    client.release(true)
  }
}

// A connection can be dead without anybody saying so; silence counts as dead.
async function answersInTime(client: PoolClient, clock: Clock, dropped: AbortSignal): Promise<void> {
  if (dropped.aborted) return
  const answered = client.query('SELECT').then(() => true)
  const isAlive = await Promise.race([answered, clock.sleep(pingMs, dropped).then(() => false)])
  if (isAlive || dropped.aborted) return
  answered.catch(() => undefined)
  throw new Error('the listener gave no answer')
}

function forgetChanged(entries: Map<ServiceId, Entry>, payload: string): void {
  const id = Number(payload.slice(1))
  if (payload.startsWith('s')) {
    entries.delete(id as ServiceId)
    return
  }
  // One whose read is still under way may be the account's, too.
  for (const [serviceId, { accountId }] of entries) {
    if (accountId === undefined || accountId === id) entries.delete(serviceId)
  }
}
