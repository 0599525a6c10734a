// Caches API clients, so that a request need not read its client from the database. The cache depends on change
// notifications, so each database has a LISTEN connection, and the entries of its slots are valid only while it is up:
//
//   disconnected     Every request reads the database. A new connection is attempted every 250 ms.
//   listening        Entries are cached. A notification drops one service's entry, or all entries of an account.
//   → disconnected   When the connection breaks or a ping times out, all entries are dropped at once.
//
// An entry is the promise of a read and is stored before the read starts. A notification during the read drops the promise:
// requests already waiting get a result that may be older than the change, but it is not cached.
//
// Changes of a slot that was in another database meanwhile are missed here, so all entries are dropped when a slot has moved.
//
// A wrong key must not reveal whether its service exists, so it costs the same either way: one read per second and ID. The
// latest reads are kept for that second in `checks`, for known and unknown services alike. A key that does not match an
// entry is compared again with a check, which reads the database unless there is one from this second.

import type { Notification, PoolClient } from 'pg'
import type { KnownApiClient } from '../../domain/accounts/api-client.ts'
import { type AccountId, type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import type { Clock } from '../../process/clock.ts'
import type { Database } from '../core/database.ts'
import { type MicroBatch, microBatch } from '../core/micro-batch.ts'
import type { SlotMap } from '../core/slot-map.ts'
import { readApiClients } from './api-client.ts'

export type ClientCache = {
  readonly find: (serviceId: ServiceId) => Promise<Found>
  // For a key that did not match: what the database held within the last second.
  readonly checkAgain: (serviceId: ServiceId) => Promise<Found>
  readonly isListening: () => boolean
  readonly close: () => Promise<void>
}

// With its age, because keys expire.
type Found = { readonly known: KnownApiClient; readonly ageMs: number }

type Entry = {
  readonly readAtMs: number
  readonly known: Promise<KnownApiClient>
  // Set once it has been read.
  accountId: AccountId | undefined
}
type Listener = {
  // Batched, because while disconnected every request reads.
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
  const byDatabase = new Map<Database, Listener>()
  const closing = new AbortController()
  const listening = slots.databases.map((database) => {
    const read = microBatch((ids: readonly ServiceId[]) => readApiClients(database, ids))
    const listener: Listener = { read, entries: new Map(), checks: new Map(), isListening: false }
    byDatabase.set(database, listener)
    return keepListening(database, listener, clock, closing.signal)
  })
  let changes = 0
  const listenerOf = (serviceId: ServiceId): Listener => {
    if (slots.changes() !== changes) {
      changes = slots.changes()
      for (const { entries, checks } of byDatabase.values()) for (const known of [entries, checks]) known.clear()
    }
    const listener = byDatabase.get(slots.databaseOf(slotOfService(serviceId)))
    if (!listener) throw new RangeError('database is not in the slot map')
    return listener
  }
  const resultOf = async (entry: Entry): Promise<Found> => {
    const known = await entry.known
    return { known, ageMs: clock.monotonicMs() - entry.readAtMs }
  }
  return {
    find: async (serviceId) => {
      const listener = listenerOf(serviceId)
      const nowMs = clock.monotonicMs()
      // Always look up both: a known service must not be found faster than an unknown one.
      const check = checkOf(listener, serviceId, nowMs)
      return resultOf(listener.entries.get(serviceId) ?? check ?? readEntry(listener, serviceId, nowMs))
    },
    checkAgain: async (serviceId) => {
      const listener = listenerOf(serviceId)
      const nowMs = clock.monotonicMs()
      return resultOf(checkOf(listener, serviceId, nowMs) ?? readCheck(listener, serviceId, nowMs))
    },
    isListening: () => [...byDatabase.values()].every((listener) => listener.isListening),
    close: async () => {
      closing.abort()
      await Promise.all(listening)
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
  // An unknown service is kept no longer than a check: otherwise random IDs could fill the memory.
  const forget = () => forgetEntry(listener.entries, serviceId, entry)
  entry.known.then(({ apiClient }) => apiClient ?? forget(), forget)
  return entry
}

function readCheck(listener: Listener, serviceId: ServiceId, nowMs: number): Entry {
  const entry: Entry = { readAtMs: nowMs, known: listener.read(serviceId), accountId: undefined }
  if (!listener.isListening) return entry
  // Moved to the end: the oldest is dropped first.
  listener.checks.delete(serviceId)
  listener.checks.set(serviceId, entry)
  const [oldest] = listener.checks.keys()
  if (listener.checks.size > checksMax && oldest !== undefined) listener.checks.delete(oldest)
  // A failed read is not cached.
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
  const onNotification = ({ payload = '' }: Notification) => forgetChanged(listener, payload)
  client.on('error', drop)
  client.on('end', drop)
  client.on('notification', onNotification)
  closing.addEventListener('abort', drop)
  // The process may have been stopped while this connected.
  if (closing.aborted) drop()
  try {
    await client.query('LISTEN clients_changed')
    listener.isListening = true
    while (!dropped.signal.aborted) {
      await clock.pause(pingMs, dropped.signal)
      await assertAlive(client, clock, dropped.signal)
    }
  } catch {
    // Any failure is handled the same way: drop the entries and reconnect.
  } finally {
    listener.isListening = false
    listener.entries.clear()
    listener.checks.clear()
    closing.removeEventListener('abort', drop)
    client.off('notification', onNotification)
    client.off('end', drop)
    client.release(true)
  }
}

// A connection can be dead without an error, so a ping that times out counts as dead.
async function assertAlive(client: PoolClient, clock: Clock, dropped: AbortSignal): Promise<void> {
  if (dropped.aborted) return
  const ping = client.query('SELECT').then(() => true)
  const isAlive = await Promise.race([ping, clock.sleep(pingMs, dropped).then(() => false)])
  if (isAlive || dropped.aborted) return
  ping.catch(() => undefined)
  throw new Error('LISTEN connection did not respond to a ping')
}

function forgetChanged(listener: Listener, payload: string): void {
  const id = Number(payload.slice(1))
  for (const entries of [listener.entries, listener.checks]) {
    if (payload.startsWith('s')) {
      entries.delete(id as ServiceId)
      continue
    }
    // An entry whose read is still in flight may belong to the account too.
    for (const [serviceId, { accountId }] of entries) {
      if (accountId === undefined || accountId === id) entries.delete(serviceId)
    }
  }
}
