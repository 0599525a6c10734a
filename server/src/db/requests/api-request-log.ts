// Writes the API log. A completed request only puts an object into a queue and adds to a counter; four times a second both are
// written, one statement per database, on a pool of one connection that serves nothing else. Nothing here can delay or fail a
// request.
//
//   refused                            a row, always
//   refused for a wrong key            a row, up to guessesMax a minute for each service
//   served                             a row, up to the budgets of the service and of the process; then one of sampleOf
//
// Every request is counted, whether it has a row or not. While the database is away the queue keeps the newest rows; what it
// drops is counted in a metric and logged. synchronous_commit is off: a crash of the server may lose the last moment.

import { type AccountId, type ServiceId, slotOfService } from '../../domain/core/slot.ts'
import { type CompletedRequest, toLoggedRequest } from '../../domain/requests/api-request.ts'
import { minuteMs } from '../../domain/values/time.ts'
import { type Clock, createClock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'
import { type Database, isNotDone, movingSlotOf } from '../core/database.ts'
import type { SlotMap } from '../core/slot-map.ts'
import { type Counted, type Counts, createCounters } from './api-request-counters.ts'

export type ApiRequestLog = {
  readonly note: (request: CompletedRequest) => void
  // Writes what was noted so far.
  readonly close: () => Promise<void>
}

type Deps = {
  readonly slots: SlotMap
  readonly log: Logger
  readonly events: Pick<Events, 'apiRequestsDropped'>
  // Rows or counts of these accounts were written.
  readonly noteWritten: (accountId: AccountId) => void
}

const writeMs = 250
const retryMs = 1_000
const windowMs = 10_000
const rowsPerWrite = 500
// About 10 MB for each database.
export const rowsMax = 5_000
// Of a service in a minute, per process.
export const servedRowsMax = 600
// Of all services in ten seconds: more rows would take CPU time from the requests.
export const processRowsMax = 1_000
export const sampleOf = 100
export const guessesMax = 60

// Real time, not scaled: these are database timeouts, and people wait for rows.
export function createApiRequestLog(deps: Deps, clock: Clock = createClock(1)): ApiRequestLog {
  const { slots, log, events } = deps
  const queueOf: QueueOf = (serviceId) => queues.get(slots.databaseOf(slotOfService(serviceId)))
  const queues: ReadonlyMap<Database, Queue> = new Map(
    slots.databases.map((database) => [database, createQueue(deps, database, queueOf, clock)]),
  )
  const budget = createBudget()
  let droppedBefore = 0
  const dropped = () => [...queues.values()].reduce((sum, queue) => sum + queue.dropped(), 0)
  const noteDropped = () => {
    const now = dropped()
    if (now === droppedBefore) return
    events.apiRequestsDropped(now - droppedBefore)
    log.warn({ requests: now - droppedBefore }, 'API log rows dropped')
    droppedBefore = now
  }
  const write = () => {
    for (const queue of queues.values()) queue.write().catch(() => undefined)
  }
  const timers = [
    clock.every(writeMs, write),
    clock.every(windowMs, budget.renewProcess),
    clock.every(minuteMs, () => {
      budget.renew()
      noteDropped()
    }),
  ]
  return {
    note: (request) => {
      const queue = queueOf(request.apiClient.serviceId)
      queue?.count(request)
      if (budget.hasRow(request)) queue?.add(request)
    },
    close: async () => {
      for (const timer of timers) timer.stop()
      await Promise.all([...queues.values()].map((queue) => queue.finish()))
      noteDropped()
    },
  }
}

// Which requests have a row.
function createBudget() {
  const served = new Map<ServiceId, number>()
  const guesses = new Map<ServiceId, number>()
  let ofProcess = 0
  const take = (taken: Map<ServiceId, number>, serviceId: ServiceId): number => {
    const count = (taken.get(serviceId) ?? 0) + 1
    taken.set(serviceId, count)
    return count
  }
  return {
    hasRow: ({ refused, isGuess, apiClient: { serviceId } }: CompletedRequest): boolean => {
      if (isGuess) return take(guesses, serviceId) <= guessesMax
      if (refused) return true
      const count = take(served, serviceId)
      if (count > servedRowsMax || ofProcess >= processRowsMax) return count % sampleOf === 0
      ofProcess += 1
      return true
    },
    renewProcess: () => {
      ofProcess = 0
    },
    renew: () => {
      served.clear()
      guesses.clear()
    },
  }
}

type Queue = {
  readonly add: (request: CompletedRequest) => void
  readonly count: (request: CompletedRequest) => void
  readonly addCount: (key: string, counter: Counted) => void
  readonly write: () => Promise<void>
  readonly dropped: () => number
  readonly finish: () => Promise<void>
}
type QueueOf = (serviceId: ServiceId) => Queue | undefined

function createQueue({ log, slots, noteWritten }: Deps, database: Database, queueOf: QueueOf, clock: Clock): Queue {
  const counters = createCounters(clock)
  let rows: CompletedRequest[] = []
  let dropped = 0
  let writing: Promise<void> | undefined
  let notBeforeMs = 0
  let isFailing = false

  const bound = () => {
    if (rows.length <= rowsMax) return
    dropped += rows.length - rowsMax
    rows = rows.slice(-rowsMax)
  }
  const writeBatch = async (counts: Counts): Promise<void> => {
    const batch = passOn(slots, database, queueOf, rows.splice(0, rowsPerWrite), counts)
    try {
      await insert(database, batch, [...counts.values()], clock.monotonicMs())
      isFailing = false
      const written = [...counts.values(), ...batch.map(({ apiClient }) => apiClient)]
      for (const accountId of new Set(written.map((one) => one.accountId))) noteWritten(accountId)
    } catch (error) {
      notBeforeMs = clock.monotonicMs() + retryMs
      // Once for each outage.
      if (!isFailing) log.warn({ err: error }, 'API log write failed')
      isFailing = true
      // Only what was certainly not written is written again: nothing is counted twice.
      if (isNotDone(error) || movingSlotOf(error) !== undefined) {
        rows = [...batch, ...rows]
        bound()
        counters.putBack(counts)
      } else dropped += batch.length
    }
  }
  const write = async (isLast = false): Promise<void> => {
    if (writing || clock.monotonicMs() < notBeforeMs) return
    const counts = counters.take(isLast)
    if (rows.length === 0 && counts.size === 0) return
    writing = writeBatch(counts)
    await writing
    writing = undefined
    if (rows.length > 0) await write(isLast)
  }
  return {
    add: (request: CompletedRequest): void => {
      rows.push(request)
      // Not at every request: moving the rows costs more than keeping a few more.
      if (rows.length > rowsMax + rowsPerWrite) bound()
    },
    count: (request: CompletedRequest): void => {
      if (!counters.add(request)) dropped += 1
    },
    addCount: counters.addCount,
    write,
    dropped: () => dropped,
    finish: async (): Promise<void> => {
      await writing
      notBeforeMs = 0
      await write(true)
      dropped += rows.length
      rows = []
    },
  }
}

// What belongs to a slot that has moved since goes to the queue of its database. Returns the rows that stay.
function passOn(
  slots: SlotMap,
  database: Database,
  queueOf: QueueOf,
  batch: readonly CompletedRequest[],
  counts: Counts,
): readonly CompletedRequest[] {
  if (slots.changes() === 0) return batch
  const stays = (serviceId: ServiceId) => slots.databaseOf(slotOfService(serviceId)) === database
  for (const [key, counter] of counts) {
    if (stays(counter.serviceId)) continue
    counts.delete(key)
    queueOf(counter.serviceId)?.addCount(key, counter)
  }
  return batch.filter((request) => {
    const { serviceId } = request.apiClient
    if (!stays(serviceId)) queueOf(serviceId)?.add(request)
    return stays(serviceId)
  })
}

// One statement, so that rows and counts are written together or not at all. Times are the database's: what is known here is how
// long ago a request came.
async function insert(
  database: Database,
  rows: readonly CompletedRequest[],
  counts: readonly Counted[],
  nowMs: number,
): Promise<void> {
  await database.query({
    name: 'write-api-requests',
    text: `
      WITH lazily AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
      written AS (
        INSERT INTO api_requests (at, id, account_id, service_id, is_test, method, verb, http_status, code, refusal, ms, address,
          auth, user_agent, verification_id, request, response)
        SELECT date_trunc('milliseconds', clock_timestamp() - make_interval(secs => r."agoMs" / 1000)), r.id, r."accountId",
          r."serviceId", r."isTest", r.method, r.verb, r."httpStatus", r.code, r.refusal, r.ms, r.address, r.auth, r."userAgent",
          r."verificationId", r.request, r.response
        FROM lazily, json_to_recordset($1::json) AS r ("agoMs" float8, id uuid, "accountId" integer, "serviceId" integer,
          "isTest" boolean, method text, verb text, "httpStatus" smallint, code integer, refusal text, ms integer, address text,
          auth text, "userAgent" text, "verificationId" bigint, request json, response json)
      )
      INSERT INTO api_request_counts AS c (account_id, since, service_id, is_test, method, refusal, subject, ms_max, requests,
        last_at)
      SELECT "accountId", date_bin('10 minutes', at, 'epoch'), "serviceId", "isTest", method, refusal, subject, "msMax", requests, at
      FROM lazily, json_to_recordset($2::json) AS n ("accountId" integer, "serviceId" integer, "isTest" boolean, method text,
        refusal text, subject text, "msMax" integer, requests bigint, "agoMs" float8),
        LATERAL (SELECT date_trunc('milliseconds', clock_timestamp() - make_interval(secs => "agoMs" / 1000)) AS at) AS t
      ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
      ON CONFLICT (account_id, since, service_id, is_test, method, refusal, subject, ms_max)
      DO UPDATE SET requests = c.requests + excluded.requests, last_at = greatest(c.last_at, excluded.last_at)`,
    values: [
      JSON.stringify(rows.map((row) => toRecord(row, nowMs))),
      JSON.stringify(counts.map(({ lastMs, ...count }) => ({ ...count, agoMs: nowMs - lastMs }))),
    ],
  })
}

function toRecord(request: CompletedRequest, nowMs: number): Record<string, unknown> {
  const { id, apiClient, isTest, method, verb, httpStatus, address, auth, startedMs, endedMs } = request
  const { serviceId, accountId } = apiClient
  const ms = Math.round(endedMs - startedMs)
  const known = { id, accountId, serviceId, isTest, method, verb, httpStatus, address, auth, ms }
  return { ...known, agoMs: nowMs - startedMs, ...toLoggedRequest(request) }
}
