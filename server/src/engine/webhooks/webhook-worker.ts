// Delivers due webhooks: one loop per database. A row is claimed with a lease, so processes do not collide and the work of a
// dead process is retried by another. A receiver may therefore get the same webhook twice, with the same ID.
//
// A slow receiver or service delays only itself. Each has a limit of deliveries in flight, services take turns, and all
// receivers whose last attempt failed share half of the total: however many of them hang, the other half keeps going. Test
// deliveries are free, so all of them share a small part. An IP address has a separate limit, whichever host names resolve
// to it (connect-safely.ts): a webhook that finds its address busy is due again soon, and no attempt is counted.

import type { Database } from '../../db/core/database.ts'
import { followSlot } from '../../db/core/follow-slot.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readFaults } from '../../db/phones/virtual-phone.ts'
import {
  claimWebhooks,
  type DueWebhook,
  noteErased,
  postponeWebhook,
  type Room,
  recordAttempt,
} from '../../db/webhooks/webhook.ts'
import { type ServiceId, slotOfVerification } from '../../domain/core/slot.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import type { NumberingIndex } from '../../domain/numbers/numbering-index.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import {
  afterAttempt,
  readRetryAfter,
  redactResponse,
  responseTimeoutSeconds,
  webhookBody,
} from '../../domain/webhooks/webhook.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'
import type { Span, Traces } from '../../process/traces/traces.ts'
import type { Deliver, Delivery } from '../../webhooks/deliver.ts'
import { signedHeaders } from '../../webhooks/sign.ts'
import type { NoteChange } from '../core/live-hints.ts'
import type { Vault } from '../core/vault.ts'
import type { OfferedWebhook, OfferWebhook } from './webhook-listeners.ts'

type WebhookDeps = {
  readonly slots: SlotMap
  readonly vault: Vault
  readonly deliver: Deliver
  readonly offer: OfferWebhook
  readonly numbers: () => NumberingIndex
  readonly keys: { readonly sealRecords: KeyRing }
  readonly timeScale: number
  readonly clock: Clock
  readonly events: Pick<Events, 'webhookAttempted'>
  readonly traces?: Traces | undefined
  readonly noteChange: NoteChange
  readonly log: Logger
}

const inFlightMax = 1_000
const receiverInFlightMax = 16
const serviceInFlightMax = 32
const testInFlightMax = 100
const claimMax = 64
// In real time, like the response timeout: the timeout plus 5 s to write the result.
const leaseSeconds = responseTimeoutSeconds + 5
// After a round with due webhooks there may be more, which were over a limit a moment ago.
const busyMs = 20
const idleMs = 100
const retryMs = 1_000
// Meanwhile the webhook counts against its service's limit, so that a backlog for one address is not claimed over and over.
const addressBusyMs = 1_000
const twiceSeconds = 1

export function startWebhookWorker(deps: WebhookDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const loops = deps.slots.databases.map((database) => serveDatabase(deps, database, closing.signal))
  return {
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}

async function serveDatabase(deps: WebhookDeps, database: Database, closing: AbortSignal): Promise<void> {
  const { clock, log, timeScale } = deps
  const counts = createInFlightCounts()
  const inFlight = new Set<Promise<void>>()
  while (!closing.aborted) {
    try {
      const claimed = await claimWebhooks(
        database,
        Math.min(claimMax, inFlightMax - inFlight.size),
        counts.room(),
        leaseSeconds,
      )
      for (const webhook of claimed) {
        const done = handle(deps, database, counts, webhook).finally(() => inFlight.delete(done))
        inFlight.add(done)
      }
      await clock.sleep((claimed.length > 0 ? busyMs : idleMs) / timeScale, closing)
    } catch (error) {
      log.warn({ err: error }, 'webhook claim failed')
      await clock.sleep(retryMs / timeScale, closing)
    }
  }
  await Promise.all(inFlight)
}

async function handle(
  deps: WebhookDeps,
  database: Database,
  counts: InFlightCounts,
  webhook: DueWebhook,
): Promise<void> {
  const outcome = await counts.track(webhook, attempt(deps, database, webhook))
  deps.noteChange(webhook.accountId, 'verifications', 'phones', 'start')
  if (outcome !== 'delivered') return
  // No longer counted as in flight: the receiver's next delivery need not wait for this. An entry that cannot be erased now
  // expires.
  await deps.vault.erase(webhook.vaultName).catch((error: unknown) => {
    deps.log.warn({ err: error, vendor_id: webhook.id }, 'vault erase failed')
  })
}

// not-sent says nothing about the receiver.
type Outcome = 'delivered' | 'failed' | 'not-sent'

async function attempt(deps: WebhookDeps, database: Database, webhook: DueWebhook): Promise<Outcome> {
  const { id, lifeLeftMs } = webhook
  try {
    const number = lifeLeftMs > 0 ? await deps.vault.read(webhook.vaultName) : undefined
    if (number === undefined) {
      await noteErased(database, id)
      deps.events.webhookAttempted('dead')
      deps.log.warn({ vendor_id: id }, 'webhook expired')
      return 'not-sent'
    }
    return await send(deps, database, webhook, number)
  } catch (error) {
    // The vault or the database is down. The webhook is due again when its lease expires.
    deps.log.warn({ err: error, vendor_id: id }, 'webhook not attempted')
    return 'not-sent'
  }
}

async function send(deps: WebhookDeps, database: Database, webhook: DueWebhook, number: PhoneNumber): Promise<Outcome> {
  const { keys, timeScale } = deps
  const { id, serviceId, now } = webhook
  const callbackUrl = unseal(keys.sealRecords, 'callback', serviceId, webhook.callbackSealed)
  const secrets = [webhook.secretSealed, webhook.secretBeforeSealed]
    .filter((sealed) => sealed !== null)
    .map((sealed) => unseal(keys.sealRecords, 'webhook-secret', serviceId, sealed))
  const body = webhookBody(id, callbackUrl, number, webhook.confirmationNumber, deps.numbers())
  const delivery = await deliverOrOffer(deps, webhook, callbackUrl, {
    headers: signedHeaders(secrets, String(id), now, body),
    body,
  })

  if (delivery.failure === 'address-busy') {
    await postponeWebhook(database, id, addressBusyMs / 1_000)
    await deps.clock.sleep(addressBusyMs / timeScale, AbortSignal.any([]))
    return 'not-sent'
  }
  const retryAfterSeconds = readRetryAfter(delivery.retryAfter, now.getTime() + delivery.durationMs)
  const lifeLeftSeconds = (webhook.lifeLeftMs - delivery.durationMs) / 1_000 / timeScale
  const outcome = afterAttempt(webhook.nth, { status: delivery.status, retryAfterSeconds }, lifeLeftSeconds)
  deps.traces?.record(id, webhookSpan(deps.clock, webhook, delivery, outcome.state))
  const isSentTwice = outcome.state === 'delivered' && (await mustSendTwice(deps, webhook))
  const next = isSentTwice ? ({ state: 'due', inSeconds: twiceSeconds } as const) : outcome
  const recorded = { ...delivery, attempt: webhook.attempt, responseStart: redactResponse(delivery.response) }
  const slot = slotOfVerification(id)
  const isWritten = await followSlot(deps.slots, [slot], () =>
    recordAttempt(deps.slots.databaseOf(slot), id, recorded, next, timeScale),
  )
  deps.events.webhookAttempted(next.state === 'due' ? 'again' : next.state, delivery.durationMs / 1_000)
  logAttempt(deps.log, webhook, delivery, outcome.state)
  if (outcome.state !== 'delivered') return 'failed'
  if (isSentTwice) return 'not-sent'
  // Another process has claimed it meanwhile and may still need the number.
  return isWritten ? 'delivered' : 'not-sent'
}

// A developer who listens gets a copy of every webhook. For a test that is the delivery itself: its callback URL may lead
// nowhere yet. A webhook of a real call always goes to its receiver as well.
async function deliverOrOffer(
  { deliver, offer, clock }: WebhookDeps,
  { serviceId, isTest }: DueWebhook,
  url: string,
  webhook: OfferedWebhook,
): Promise<Delivery> {
  const startedMs = clock.monotonicMs()
  const offered = offer(serviceId, webhook).catch(() => undefined)
  const result = isTest ? await offered : undefined
  if (result === undefined) return deliver(url, webhook.headers, webhook.body)
  return {
    status: result.status ?? undefined,
    failure: result.status === null ? 'unreachable' : undefined,
    durationMs: Math.round(clock.monotonicMs() - startedMs),
    response: Buffer.from(result.response),
    retryAfter: undefined,
  }
}

// A fault that an account has switched on: its receiver must cope with a webhook that comes twice. As if our record of the
// first delivery was lost.
async function mustSendTwice({ slots }: WebhookDeps, { isTest, nth, accountId }: DueWebhook): Promise<boolean> {
  if (!isTest || nth > 1) return false
  return (await readFaults(slots.globalDatabase, accountId)).has('webhook-twice')
}

function logAttempt(log: Logger, webhook: DueWebhook, { status, failure }: Delivery, state: string): void {
  const { id, attempt: nth } = webhook
  if (state === 'delivered') log.info({ vendor_id: id, attempt: nth, http_status: status }, 'webhook delivered')
  else log.info({ vendor_id: id, attempt: nth, http_status: status, failure, state }, 'webhook delivery failed')
}

// To be called when the receiver has responded.
function webhookSpan(
  clock: Clock,
  webhook: DueWebhook,
  { status, failure, durationMs }: Delivery,
  state: string,
): Span {
  const { serviceId, attempt: nth } = webhook
  return {
    name: 'webhook',
    startedMs: clock.monotonicMs() - durationMs,
    isFailed: state !== 'delivered',
    attributes: { service_id: serviceId, attempt: nth, outcome: state, http_status: status, failure },
  }
}

type InFlightCounts = {
  readonly room: () => Room
  readonly track: (webhook: DueWebhook, delivery: Promise<Outcome>) => Promise<Outcome>
}

const failingMax = 10_000

// Counts deliveries in flight per receiver and service, and remembers the receivers whose last delivery failed.
function createInFlightCounts(): InFlightCounts {
  const receivers = createCounts<string>()
  const services = createCounts<ServiceId>()
  const tests = createCounts<'test'>()
  const failing = new Set<string>()
  return {
    room: () => {
      const failingInFlight = [...failing].reduce((sum, receiver) => sum + receivers.of(receiver), 0)
      const isHalfFull = failingInFlight >= inFlightMax / 2
      const known = new Set([...receivers.keys(), ...(isHalfFull ? failing : [])])
      return {
        receivers: [...known].map((receiver) => ({
          digest: Buffer.from(receiver, 'hex'),
          room: isHalfFull && failing.has(receiver) ? 0 : Math.max(0, receiverInFlightMax - receivers.of(receiver)),
        })),
        receiverMax: receiverInFlightMax,
        services: [...services.keys()].map((id) => ({ id, room: Math.max(0, serviceInFlightMax - services.of(id)) })),
        serviceMax: serviceInFlightMax,
        tests: Math.max(0, testInFlightMax - tests.of('test')),
      }
    },
    track: async ({ receiverDigest, serviceId, isTest }, delivery) => {
      const receiver = receiverDigest.toString('hex')
      const move = (by: 1 | -1) => {
        receivers.add(receiver, by)
        services.add(serviceId, by)
        if (isTest) tests.add('test', by)
      }
      move(1)
      const outcome = await delivery
      move(-1)
      if (outcome === 'delivered') failing.delete(receiver)
      else if (outcome === 'failed' && failing.size < failingMax) failing.add(receiver)
      return outcome
    },
  }
}

type Counts<K> = {
  readonly of: (key: K) => number
  readonly keys: () => Iterable<K>
  readonly add: (key: K, by: 1 | -1) => void
}

function createCounts<K>(): Counts<K> {
  const counts = new Map<K, number>()
  const of = (key: K) => counts.get(key) ?? 0
  return {
    of,
    keys: () => counts.keys(),
    add: (key, by) => {
      if (of(key) + by === 0) counts.delete(key)
      else counts.set(key, of(key) + by)
    },
  }
}
