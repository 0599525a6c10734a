// Delivers webhooks that are due: one loop a database. A row is claimed for the time of a lease, so that processes never
// get in each other's way and what a dead one had in its hands is taken up by another; so a receiver may hear the same
// webhook twice, under the same id.
//
// One receiver, and one service, delays nobody but itself. Each may have some deliveries under way and no more, services take
// turns, and all receivers whose last attempt failed may together have half of all places: however many hang, the other half
// goes on. Tests are free, so all of them together have a small part. An address has its own bound, whatever names lead to
// it (connect-safely.ts): what finds it busy is due again soon, without an attempt being counted.

import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { claimWebhooks, type DueWebhook, noteErased, postponeWebhook, type Room, recordAttempt } from '../db/webhook.ts'
import { type KeyRing, unseal } from '../domain/crypto/sealing.ts'
import type { NumberingIndex } from '../domain/numbers/numbering-index.ts'
import type { PhoneNumber } from '../domain/numbers/phone-number.ts'
import type { ServiceId } from '../domain/slot.ts'
import {
  afterAttempt,
  readRetryAfter,
  redactResponse,
  responseTimeoutSeconds,
  webhookBody,
} from '../domain/webhooks/webhook.ts'
import type { Events } from '../events.ts'
import type { Logger } from '../log.ts'
import type { Deliver } from '../webhooks/deliver.ts'
import { signedHeaders } from '../webhooks/sign.ts'
import type { Vault } from './vault.ts'

export type WebhookDeps = {
  readonly slots: SlotMap
  readonly vault: Vault
  readonly deliver: Deliver
  readonly numbers: () => NumberingIndex
  readonly keys: { readonly sealRecords: KeyRing }
  readonly timeScale: number
  readonly clock: Clock
  readonly events: Pick<Events, 'webhookAttempted'>
  readonly log: Logger
}

const placesMax = 1_000
const receiverPlacesMax = 16
const servicePlacesMax = 32
const testPlacesMax = 100
const claimMax = 64
// In real time, as the receivers' own timeout is: an response's time, and some to write it down.
const leaseSeconds = responseTimeoutSeconds + 5
// Where something was due there may be more, which had no place a moment ago.
const busyMs = 20
const idleMs = 100
const troubleMs = 1_000
// While it lasts the webhook keeps its service's place, so that a backlog for one address is not looked at over and over.
const addressBusyMs = 1_000

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
  const places = createPlaces()
  const inFlight = new Set<Promise<void>>()
  while (!closing.aborted) {
    try {
      const claimed = await claimWebhooks(
        database,
        Math.min(claimMax, placesMax - inFlight.size),
        places.room(),
        leaseSeconds,
      )
      for (const webhook of claimed) {
        const done = handle(deps, database, places, webhook).finally(() => inFlight.delete(done))
        inFlight.add(done)
      }
      await clock.sleep((claimed.length > 0 ? busyMs : idleMs) / timeScale, closing)
    } catch (error) {
      log.warn({ err: error }, 'webhooks cannot be claimed')
      await clock.sleep(troubleMs / timeScale, closing)
    }
  }
  await Promise.all(inFlight)
}

async function handle(deps: WebhookDeps, database: Database, places: Places, webhook: DueWebhook): Promise<void> {
  const outcome = await places.keep(webhook, attempt(deps, database, webhook))
  if (outcome !== 'delivered') return
  // Its receiver has the place back by now, and need not wait for this. What cannot be erased now erases itself.
  await deps.vault.erase(webhook.vaultName).catch((error: unknown) => {
    deps.log.warn({ err: error, vendor_id: webhook.id }, 'a delivered number was not erased at once')
  })
}

// What a receiver has shown of itself; nothing, when it was not asked.
type Outcome = 'delivered' | 'failed' | 'not-asked'

async function attempt(deps: WebhookDeps, database: Database, webhook: DueWebhook): Promise<Outcome> {
  const { id, lifeLeftMs } = webhook
  try {
    const number = lifeLeftMs > 0 ? await deps.vault.open(webhook.vaultName) : undefined
    if (number === undefined) {
      await noteErased(database, id)
      deps.events.webhookAttempted('dead')
      deps.log.warn({ vendor_id: id }, 'a webhook is dead: its number was erased before it was delivered')
      return 'not-asked'
    }
    return await send(deps, database, webhook, number)
  } catch (error) {
    // The vault or the database is away. It is due again when the lease is over.
    deps.log.warn({ err: error, vendor_id: id }, 'a webhook could not be attempted')
    return 'not-asked'
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
  const delivery = await deps.deliver(callbackUrl, signedHeaders(secrets, String(id), now, body), body)

  if (delivery.failure === 'address-busy') {
    await postponeWebhook(database, id, addressBusyMs / 1_000)
    await deps.clock.sleep(addressBusyMs / timeScale, AbortSignal.any([]))
    return 'not-asked'
  }
  const askedSeconds = readRetryAfter(delivery.retryAfter, now.getTime() + delivery.durationMs)
  const lifeLeftSeconds = (webhook.lifeLeftMs - delivery.durationMs) / 1_000 / timeScale
  const next = afterAttempt(webhook.nth, { status: delivery.status, askedSeconds }, lifeLeftSeconds)
  const made = { ...delivery, attempt: webhook.attempt, responseStart: redactResponse(delivery.response) }
  const isWritten = await recordAttempt(database, id, made, next, timeScale)
  deps.events.webhookAttempted(next.state === 'due' ? 'again' : next.state)
  const { status, failure } = delivery
  deps.log.info({ vendor_id: id, attempt: webhook.attempt, status, failure, state: next.state }, 'webhook')
  if (next.state !== 'delivered') return 'failed'
  // Whoever else had it may need the number yet.
  return isWritten ? 'delivered' : 'not-asked'
}

type Places = {
  readonly room: () => Room
  readonly keep: (webhook: DueWebhook, delivery: Promise<Outcome>) => Promise<Outcome>
}

const failingMax = 10_000

// Who has how many deliveries under way, and whose last one failed.
function createPlaces(): Places {
  const receivers = createCounts<string>()
  const services = createCounts<ServiceId>()
  const tests = createCounts<'test'>()
  const failing = new Set<string>()
  return {
    room: () => {
      const failingPlaces = [...failing].reduce((sum, receiver) => sum + receivers.of(receiver), 0)
      const isHalfFull = failingPlaces >= placesMax / 2
      const known = new Set([...receivers.keys(), ...(isHalfFull ? failing : [])])
      return {
        receivers: [...known].map((receiver) => ({
          digest: Buffer.from(receiver, 'hex'),
          room: isHalfFull && failing.has(receiver) ? 0 : Math.max(0, receiverPlacesMax - receivers.of(receiver)),
        })),
        receiverMax: receiverPlacesMax,
        services: [...services.keys()].map((id) => ({ id, room: Math.max(0, servicePlacesMax - services.of(id)) })),
        serviceMax: servicePlacesMax,
        tests: Math.max(0, testPlacesMax - tests.of('test')),
      }
    },
    keep: async ({ receiverDigest, serviceId, isTest }, delivery) => {
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
