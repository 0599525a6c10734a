// What is known about API clients, kept in memory so that a request need not ask the database who sends it. It is only as good
// as the news of changes, so each database has a listener, and the cache of its slots lives and dies with it:
//
//   disconnected        no listener: every request asks the database. A connection is tried again and again.
//   listening   entries are kept. A notification drops the service's entry, or all of an account.
//   → disconnected      when the connection breaks, or does not answer a ping in time: all entries are dropped at once.
//
// An entry is the promise of a read, put in before the read begins. A notification that comes while the read is under
// way drops the promise, so a result that may be older than the change is used by those who already wait, and not kept.
//
// A wrong key must not tell whether its service exists, so it costs the same either way: one read per second and ID. The
// latest reads are kept for that second in `checks`, known services and unknown ones alike. A key that does not match an
// entry is compared again with a check, which reads the database unless one of this second is there.

import type { Notification, PoolClient } from 'pg'
import type { Clock } from '../clock.ts'
import type { KnownApiClient } from '../domain/accounts/api-client.ts'
import { type AccountId, type ServiceId, slotOfService } from '../domain/slot.ts'
import { readApiClients } from './api-client.ts'
import type { Database } from './database.ts'
import { type MicroBatch, microBatch } from './micro-batch.ts'
import type { SlotMap } from './slot-map.ts'

export type ClientCache = {
  readonly find: (serviceId: ServiceId) => Promise<Found>
  // For a key that did not match what was found: what the database said within the last second.
  readonly checkAgain: (serviceId: ServiceId) => Promise<Found>
  readonly isListening: () => boolean
  readonly close: () => Promise<void>
}

// With its age, because keys end by themselves.
type Found = { readonly known: KnownApiClient; readonly ageMs: number }

type Entry = {
  readonly readAtMs: number
  readonly known: Promise<KnownApiClient>
  // Once it has been read.
  accountId: AccountId | undefined
}
type Listener = {
  // Whoever asks while it is disconnected asks together with others: there may be many of them.
  readonly read: MicroBatch<ServiceId, KnownApiClient>
  readonly entries: Map<ServiceId, Entry>
  readonly checks: Map<ServiceId, Entry>
  isListening: boolean
}

const entriesMax = 50_000
const checksMax = 10_000
const checkMs = 1_000
const retryMs = 250
const pingMs = 1_000

export function createClientCache(slots: SlotMap, clock: Clock): ClientCache {
  const ears = new Map<Database, Listener>()
  const closing = new AbortController()
  const listeners = slots.databases.map((database) => {
    const read = microBatch((ids: readonly ServiceId[]) => readApiClients(database, ids))
    const listener: Listener = { read, entries: new Map(), checks: new Map(), isListening: false }
    ears.set(database, listener)
    return keepListening(database, listener, clock, closing.signal)
  })
  const earOf = (serviceId: ServiceId): Listener => {
    const listener = ears.get(slots.databaseOf(slotOfService(serviceId)))
    if (!listener) throw new RangeError('a slot map has grown a database')
    return listener
  }
  const resultOf = async (entry: Entry): Promise<Found> => {
    const known = await entry.known
    return { known, ageMs: clock.monotonicMs() - entry.readAtMs }
  }
  return {
    find: async (serviceId) => {
      const listener = earOf(serviceId)
      const nowMs = clock.monotonicMs()
      // Both are looked up in any case: a service that is known must not be found faster than one that is not.
      const check = checkOf(listener, serviceId, nowMs)
      return resultOf(listener.entries.get(serviceId) ?? check ?? readEntry(listener, serviceId, nowMs))
    },
    checkAgain: async (serviceId) => {
      const listener = earOf(serviceId)
      const nowMs = clock.monotonicMs()
      return resultOf(checkOf(listener, serviceId, nowMs) ?? readCheck(listener, serviceId, nowMs))
    },
    isListening: () => [...ears.values()].every((listener) => listener.isListening),
    close: async () => {
      closing.abort()
      await Promise.all(listeners)
    },
  }
}

function checkOf(listener: Listener, serviceId: ServiceId, nowMs: number): Entry | undefined {
  const check = listener.checks.get(serviceId)
  return check && nowMs - check.readAtMs < checkMs ? check : undefined
}

function readEntry(listener: Listener, serviceId: ServiceId, nowMs: number): Entry {
  const entry = readCheck(listener, serviceId, nowMs)
  if (!listener.isListening) return entry
  if (listener.entries.size >= entriesMax) listener.entries.clear()
  listener.entries.set(serviceId, entry)
  // An unknown service is not kept for longer than a check: strangers would fill the memory.
  const forget = () => forgetEntry(listener.entries, serviceId, entry)
  entry.known.then(({ apiClient }) => apiClient ?? forget(), forget)
  return entry
}

function readCheck(listener: Listener, serviceId: ServiceId, nowMs: number): Entry {
  const entry: Entry = { readAtMs: nowMs, known: listener.read(serviceId), accountId: undefined }
  if (!listener.isListening) return entry
  // The oldest is dropped first.
  listener.checks.delete(serviceId)
  listener.checks.set(serviceId, entry)
  const [oldest] = listener.checks.keys()
  if (listener.checks.size > checksMax && oldest !== undefined) listener.checks.delete(oldest)
  // A failure is not kept.
  entry.known.then(
    ({ apiClient }) => (entry.accountId = apiClient?.accountId),
    () => forgetEntry(listener.checks, serviceId, entry),
  )
  return entry
}

function forgetEntry(entries: Map<ServiceId, Entry>, serviceId: ServiceId, entry: Entry): void {
  if (entries.get(serviceId) === entry) entries.delete(serviceId)
}

async function keepListening(
  database: Database,
  listener: Listener,
  clock: Clock,
  closing: AbortSignal,
): Promise<void> {
  while (!closing.aborted) {
    const client = await database.connect().catch(() => undefined)
    if (client) await listenUntilDropped(client, listener, clock, closing)
    await clock.sleep(retryMs, closing)
  }
}

async function listenUntilDropped(
  client: PoolClient,
  listener: Listener,
  clock: Clock,
  closing: AbortSignal,
): Promise<void> {
  const dropped = new AbortController()
  const drop = () => dropped.abort()
  const hear = ({ payload = '' }: Notification) => forgetChanged(listener, payload)
  client.on('error', drop)
  client.on('end', drop)
  client.on('notification', hear)
  closing.addEventListener('abort', drop)
  try {
    await client.query('LISTEN clients_changed')
    listener.isListening = true
    while (!dropped.signal.aborted) {
      await clock.sleep(pingMs, dropped.signal)
      await answersInTime(client, clock, dropped.signal)
    }
  } catch {
    // Whatever broke, what follows is the same: forget, and connect again.
  } finally {
    listener.isListening = false
    listener.entries.clear()
    listener.checks.clear()
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

function forgetChanged(listener: Listener, payload: string): void {
  const id = Number(payload.slice(1))
  for (const entries of [listener.entries, listener.checks]) {
    if (payload.startsWith('s')) {
      entries.delete(id as ServiceId)
      continue
    }
    // One whose read is still under way may be the account's, too.
    for (const [serviceId, { accountId }] of entries) {
      if (accountId === undefined || accountId === id) entries.delete(serviceId)
    }
  }
}
