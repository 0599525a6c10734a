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

import { type Clock, createClock } from '../clock.ts'
import { type CompletedRequest, subjectOf, toLoggedRequest } from '../domain/requests/api-request.ts'
import { type AccountId, type ServiceId, slotOfService } from '../domain/slot.ts'
import type { Events } from '../events.ts'
import type { Logger } from '../log.ts'
import { type Database, isNotDone } from './database.ts'
import type { SlotMap } from './slot-map.ts'

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

type Counted = {
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly isTest: boolean
  readonly method: string
  readonly refusal: string
  readonly subject: string
  readonly msMax: number
  requests: number
  lastMs: number
}

const writeMs = 250
const retryMs = 1_000
const minuteMs = 60_000
const windowMs = 10_000
// This many counters are written with the next rows; more of them wait, so that each write stands for more requests.
const countersPerWrite = 100
const countersMs = 10_000
const rowsPerWrite = 500
// About 10 MB for each database.
export const rowsMax = 5_000
const countersMax = 20_000
// Of a service in a minute, per process.
export const servedRowsMax = 600
// Of all services in ten seconds: more rows would take CPU time from the requests.
export const processRowsMax = 1_000
export const sampleOf = 100
export const guessesMax = 60

// Real time, not scaled: these are database timeouts, and people wait for rows.
export function createApiRequestLog(deps: Deps, clock: Clock = createClock(1)): ApiRequestLog {
  const { slots, log, events } = deps
  const queues = new Map(slots.databases.map((database) => [database, createQueue(deps, database, clock)]))
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
      const queue = queues.get(slots.databaseOf(slotOfService(request.apiClient.serviceId)))
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

function createQueue({ log, noteWritten }: Deps, database: Database, clock: Clock) {
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
    const batch = rows.splice(0, rowsPerWrite)
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
      if (isNotDone(error)) {
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

type Counts = Map<string, Counted>

function createCounters(clock: Clock) {
  let counted: Counts = new Map()
  let takenMs = clock.monotonicMs()
  return {
    // Whether there was room.
    add: (request: CompletedRequest): boolean => {
      const { key, counter } = counterOf(request)
      if (counted.size >= countersMax && !counted.has(key)) return false
      addCount(counted, key, counter)
      return true
    },
    // What is due, or all.
    take: (isLast: boolean): Counts => {
      const nowMs = clock.monotonicMs()
      if (counted.size > countersPerWrite && nowMs - takenMs < countersMs && !isLast) return new Map()
      const counts = counted
      counted = new Map()
      takenMs = nowMs
      return counts
    },
    putBack: (counts: Counts): void => {
      for (const [key, one] of counted) addCount(counts, key, one)
      counted = counts
    },
  }
}

function addCount(counted: Counts, key: string, counter: Counted): void {
  const known = counted.get(key)
  if (!known) counted.set(key, counter)
  else {
    known.requests += counter.requests
    known.lastMs = Math.max(known.lastMs, counter.lastMs)
  }
}

// Upper bounds of durations: percentiles are known to one of these.
export const msBounds = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1_200, 2_000, 5_000, 60_000]

function counterOf(request: CompletedRequest): { readonly key: string; readonly counter: Counted } {
  const { apiClient, isTest, method, refused, startedMs, endedMs } = request
  const { serviceId, accountId } = apiClient
  const refusal = refused?.refusal.refusal ?? ''
  const subject = refused ? subjectOf(refused.refusal) : ''
  const msMax = msBounds.find((bound) => endedMs - startedMs <= bound) ?? 60_000
  return {
    key: `${serviceId} ${isTest} ${method} ${refusal} ${subject} ${msMax}`,
    counter: { accountId, serviceId, isTest, method, refusal, subject, msMax, requests: 1, lastMs: startedMs },
  }
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
