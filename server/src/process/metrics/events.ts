// The one place where events are counted. Code reports an event by a method here; only this file knows Prometheus. Labels are
// few and bounded: never a phone number, a key or a client.

import type { CallMode } from '@ringproof/contract/methods.ts'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import type { FetchAttempt } from '../../domain/numbers/numbering-report.ts'
import type { FraudRule } from '../../domain/protection/fraud-limits.ts'
import type { AttemptOutcome } from '../../domain/verifications/call-outcome.ts'
import type { UnmatchedReason } from '../../domain/verifications/inbound-call.ts'
import type { UnavailableCause } from '../errors.ts'
import { type FileEvents, fileEvents } from './files.ts'
import { type GaugeEvents, gaugeEvents } from './gauges.ts'
import { type TelemetryEvents, telemetryEvents } from './telemetry.ts'

export type Events = GaugeEvents &
  FileEvents &
  TelemetryEvents & {
    readonly requestCompleted: (request: {
      readonly apiMethod: string
      readonly httpStatus: number
      readonly code: number
      readonly seconds: number
    }) => void
    readonly requestLimited: (rule: 'address_rate' | 'failed_authentications') => void
    // A request that got code 5.
    readonly startUnavailable: (cause: UnavailableCause) => void
    // A request refused by a rule against fraud or harassment.
    readonly fraudBlocked: (rule: FraudRule) => void
    // One attempt of an outgoing call is over. `next-trunk`: it never rang, and another trunk is tried.
    readonly callEnded: (call: {
      readonly trunk: string
      readonly mode: CallMode
      readonly outcome: AttemptOutcome
      readonly sipStatus: number | undefined
      readonly postDialMs: number | undefined
      readonly ringMs: number | undefined
      // From the answer to the end.
      readonly talkMs: number | undefined
      // Since the verification was accepted.
      readonly settleMs: number
    }) => void
    // Money was captured: for a call, a matched inbound call, or a number lookup.
    readonly charged: (mode: CallMode | 'inbound' | 'lookup', amount: MicroAmount) => void
    // initCall returned the result of an earlier request with the same idempotency key.
    readonly startReplayed: () => void
    // initRepeat started a call.
    readonly repeatStarted: () => void
    // An inbound call: matched, or why not.
    readonly inboundCalled: (outcome: 'matched' | UnmatchedReason) => void
    // Whether the sender of an inbound UDP call has proved that it received our reply.
    readonly returnPathChecked: (trunk: string, isConfirmed: boolean) => void
    // The seconds are missing if nothing was sent.
    readonly webhookAttempted: (outcome: 'delivered' | 'again' | 'dead', seconds?: number) => void
    // Read at every scrape: whether all trunks are stopped.
    readonly watchTrunkStop: (isStopped: () => boolean) => void
    // A sweep of a database completed, or none has yet.
    readonly swept: (database: string, when: 'now' | 'never') => void
    readonly sweepFailed: (database: string) => void
    readonly housekeepingFailed: (step: string) => void
    readonly registryFetched: (result: FetchAttempt['result']) => void
    // A round of housekeeping in a database completed without an error, or none has yet.
    readonly houseKept: (database: string, when: 'now' | 'never') => void
    // In the Prometheus text format.
    readonly exposition: () => Promise<string>
    readonly contentType: string
  }

export function createEvents(version: string, logLinesDropped: () => number): Events {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'ringproof_build_info',
    help: 'The running version; always 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  const requests = new Histogram({
    name: 'ringproof_http_request_duration_seconds',
    help: 'Request duration, by method, HTTP status and response code (200 for success).',
    labelNames: ['api_method', 'http_status', 'code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  })
  const limited = new Counter({
    name: 'ringproof_rate_limited_total',
    help: 'Requests refused by a rate limit, by rule.',
    labelNames: ['rule'],
    registers: [registry],
  })
  const unavailable = new Counter({
    name: 'ringproof_unavailable_total',
    help: 'Requests that got code 5, by cause.',
    labelNames: ['cause'],
    registers: [registry],
  })
  const inbound = new Counter({
    name: 'ringproof_inbound_calls_total',
    help: 'Calls to our numbers, by outcome: matched, or the reason why not.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const returnPaths = new Counter({
    name: 'ringproof_inbound_return_path_total',
    help: 'Inbound calls over UDP, by trunk and by whether an ACK confirmed that the sender received our reply.',
    labelNames: ['trunk', 'outcome'],
    registers: [registry],
  })
  return {
    ...callEvents(registry),
    ...gaugeEvents(registry),
    ...keeperEvents(registry),
    ...fraudEvents(registry),
    ...fileEvents(registry),
    ...startEvents(registry),
    ...telemetryEvents(registry, logLinesDropped),
    inboundCalled: (outcome) => inbound.inc({ outcome }),
    returnPathChecked: (trunk, isConfirmed) =>
      returnPaths.inc({ trunk, outcome: isConfirmed ? 'confirmed' : 'unconfirmed' }),
    ...webhookEvents(registry),
    requestCompleted: ({ apiMethod, httpStatus, code, seconds }) =>
      requests.observe({ api_method: apiMethod, http_status: httpStatus, code }, seconds),
    startUnavailable: (cause) => unavailable.inc({ cause }),
    requestLimited: (rule) => limited.inc({ rule }),
    exposition: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function callEvents(registry: Registry): Pick<Events, 'callEnded'> {
  const calls = new Counter({
    name: 'ringproof_calls_total',
    help: 'Attempts of outgoing calls, by trunk, mode, outcome and the final SIP status of a refusal (none without one).',
    labelNames: ['trunk', 'mode', 'outcome', 'sip_status'],
    registers: [registry],
  })
  const postDialDelay = new Histogram({
    name: 'ringproof_call_post_dial_delay_seconds',
    help: 'Seconds from dialling to ringing, by trunk and mode; only of attempts that rang.',
    labelNames: ['trunk', 'mode'],
    buckets: [0.5, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20],
    registers: [registry],
  })
  const ringing = new Histogram({
    name: 'ringproof_call_ring_seconds',
    help: 'Seconds of ringing, by trunk and mode; only of attempts that rang.',
    labelNames: ['trunk', 'mode'],
    buckets: [0.5, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25],
    registers: [registry],
  })
  const talking = new Histogram({
    name: 'ringproof_call_talk_seconds',
    help: 'Seconds from the answer to the end, by trunk and mode; only of attempts that were answered. Carriers bill these.',
    labelNames: ['trunk', 'mode'],
    buckets: [0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30],
    registers: [registry],
  })
  const settling = new Histogram({
    name: 'ringproof_call_settle_seconds',
    help: 'Seconds from the accept of a call to its outcome, by mode. At most 60 by contract.',
    labelNames: ['mode'],
    buckets: [1, 2.5, 5, 7.5, 10, 15, 20, 30, 45, 60],
    registers: [registry],
  })
  return {
    callEnded: ({ trunk, mode, outcome, sipStatus, postDialMs, ringMs, talkMs, settleMs }) => {
      calls.inc({ trunk, mode, outcome, sip_status: sipStatus ?? 'none' })
      if (postDialMs !== undefined) postDialDelay.observe({ trunk, mode }, postDialMs / 1_000)
      if (ringMs !== undefined) ringing.observe({ trunk, mode }, ringMs / 1_000)
      if (talkMs !== undefined) talking.observe({ trunk, mode }, talkMs / 1_000)
      if (outcome !== 'next-trunk') settling.observe({ mode }, settleMs / 1_000)
    },
  }
}

function startEvents(registry: Registry): Pick<Events, 'charged' | 'startReplayed' | 'repeatStarted'> {
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] })
  const charges = new Counter({
    name: 'ringproof_charged_amount_total',
    help: 'Money captured by this process, in the currency of the installation, by mode, and for number lookups (lookup). Without calls that the keeper ended.',
    labelNames: ['mode'],
    registers: [registry],
  })
  const replays = counter(
    'ringproof_idempotent_replays_total',
    'Requests for a call that returned the result of an earlier one with the same idempotency key.',
  )
  const repeats = counter('ringproof_repeat_calls_total', 'Free repeats of a call that initRepeat has started.')
  return {
    charged: (mode, amount) => charges.inc({ mode }, toDecimal(amount)),
    startReplayed: () => replays.inc(),
    repeatStarted: () => repeats.inc(),
  }
}

function webhookEvents(registry: Registry): Pick<Events, 'webhookAttempted'> {
  const attempts = new Counter({
    name: 'ringproof_webhook_attempts_total',
    help: 'Webhook delivery attempts, by result: delivered, again or dead.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'ringproof_webhook_attempt_duration_seconds',
    help: 'Seconds until a receiver responded or an attempt failed, by result.',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  return {
    webhookAttempted: (outcome, seconds) => {
      attempts.inc({ outcome })
      if (seconds !== undefined) durations.observe({ outcome }, seconds)
    },
  }
}

function fraudEvents(registry: Registry): Pick<Events, 'fraudBlocked' | 'watchTrunkStop'> {
  const blocked = new Counter({
    name: 'ringproof_fraud_blocks_total',
    help: 'Requests refused by a rule against fraud or harassment, by rule.',
    labelNames: ['rule'],
    registers: [registry],
  })
  let isTrunkStopped = () => false
  const stopped: Gauge = new Gauge({
    name: 'ringproof_trunks_stopped',
    help: '1 while all trunks are stopped by the kill switch, as this process sees it.',
    registers: [registry],
    collect: () => {
      stopped.set(isTrunkStopped() ? 1 : 0)
    },
  })
  return {
    fraudBlocked: (rule) => blocked.inc({ rule }),
    watchTrunkStop: (isStopped) => {
      isTrunkStopped = isStopped
    },
  }
}

function keeperEvents(
  registry: Registry,
): Pick<Events, 'swept' | 'sweepFailed' | 'housekeepingFailed' | 'houseKept' | 'registryFetched'> {
  const lastSweep = new Gauge({
    name: 'ringproof_keeper_last_sweep_timestamp_seconds',
    help: 'When overdue calls of a database were last ended without an error; 0 for never. Alert when all keepers are late.',
    labelNames: ['database'],
    registers: [registry],
  })
  const sweepFailures = new Counter({
    name: 'ringproof_keeper_sweep_failures_total',
    help: 'Failed sweeps; the next one starts within two seconds.',
    labelNames: ['database'],
    registers: [registry],
  })
  const lastHousekeeping = new Gauge({
    name: 'ringproof_keeper_last_housekeeping_timestamp_seconds',
    help: 'When a round of housekeeping of a database last ended without an error; 0 for never. A round starts every 10 minutes.',
    labelNames: ['database'],
    registers: [registry],
  })
  const housekeepingFailures = new Counter({
    name: 'ringproof_keeper_housekeeping_failures_total',
    help: 'Failed housekeeping steps, by step; each is retried after ten minutes.',
    labelNames: ['step'],
    registers: [registry],
  })
  const registryFetches = new Counter({
    name: 'ringproof_registry_fetches_total',
    help: 'Scheduled fetches of the numbering registry, by result: changed, unchanged or failed.',
    labelNames: ['result'],
    registers: [registry],
  })
  return {
    registryFetched: (result) => registryFetches.inc({ result }),
    swept: (database, when) => {
      if (when === 'now') return lastSweep.setToCurrentTime({ database })
      lastSweep.set({ database }, 0)
      // So that the first failure is an increase.
      sweepFailures.inc({ database }, 0)
    },
    sweepFailed: (database) => sweepFailures.inc({ database }),
    housekeepingFailed: (step) => housekeepingFailures.inc({ step }),
    houseKept: (database, when) =>
      when === 'now' ? lastHousekeeping.setToCurrentTime({ database }) : lastHousekeeping.set({ database }, 0),
  }
}
