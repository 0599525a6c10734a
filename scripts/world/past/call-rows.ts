// What a verification leaves in the database: its row, its ledger entries, its idempotency key and, if it waited for a call, its webhook.

import { randomInt, randomUUID } from 'node:crypto'
import type { VerificationId } from '../../../server/src/domain/core/slot.ts'
import { clientDigests, receiverDigest, uniqueDigests } from '../../../server/src/domain/crypto/keyed-digest.ts'
import { type KeyRing, nonceBytes, seal } from '../../../server/src/domain/crypto/sealing.ts'
import { phoneInfoOf } from '../../../server/src/domain/numbers/number-info.ts'
import { numberPrefix } from '../../../server/src/domain/numbers/number-prefix.ts'
import type { NumberingIndex } from '../../../server/src/domain/numbers/numbering-index.ts'
import { mask, ofActiveKey, tenantHashes } from '../../../server/src/domain/numbers/phone-number.ts'
import { numberLifeSeconds } from '../../../server/src/domain/verifications/inbound-request.ts'
import { sealPerson } from '../../../server/src/domain/verifications/person.ts'
import { callDeadlineMs, startDeadlineMs } from '../../../server/src/domain/verifications/verification.ts'
import { afterAttempt, redactResponse } from '../../../server/src/domain/webhooks/webhook.ts'
import { customers } from '../cast.ts'
import type { Call, Delivery, PaymentIn, Waiting } from '../events.ts'
import { inboundSeconds } from '../inbound.ts'
import type { InstalledCustomers } from '../installed.ts'
import { country } from '../switching.ts'
import { type Row, timeOf } from './insert.ts'

export type RowDeps = {
  readonly customers: InstalledCustomers
  readonly keys: {
    readonly records: KeyRing
    readonly tenant: KeyRing
    readonly subscriber: KeyRing
    readonly slot: KeyRing
  }
  readonly index: NumberingIndex
  readonly randomBytes: (bytes: number) => Uint8Array
}

export type Numbered<Event> = { readonly id: VerificationId; readonly event: Event }

export function callRow(deps: RowDeps, { id, event }: Numbered<Call>): Row {
  const { attempts, mode, code, client, phone, atMs } = event
  const last = attempts.at(-1) ?? attempts[0]
  const { progress, outcome, dialledMs, trunk, callerNumber } = last
  const { accountId } = deps.customers[event.customer]
  const { rangAtMs, answeredAtMs, endedAtMs, status, endedBy } = progress
  return {
    ...sharedColumns(deps, id, event, { client, unique: event.unique }),
    mode,
    prefix: numberPrefix(deps.keys.slot, phone),
    code,
    attempt: attempts.length,
    start_until: timeOf(atMs + startDeadlineMs),
    end_until: timeOf(atMs + callDeadlineMs),
    trunk,
    caller_number: callerNumber,
    dialled_at: timeOf(dialledMs),
    rang_at: rangAtMs === undefined ? null : timeOf(dialledMs + rangAtMs + 3),
    reason: outcome.reason,
    sip_status: status ?? null,
    post_dial_ms: rangAtMs ?? null,
    ring_ms: rangAtMs === undefined ? null : (answeredAtMs ?? endedAtMs) - rangAtMs,
    ended_by: endedBy,
    client_digest: clientDigests(deps.keys.tenant, accountId, client)[0] ?? null,
    claim_token: randomInt(2 ** 48 - 1),
    assurance: null,
  }
}

export function waitingRow(deps: RowDeps, { id, event }: Numbered<Waiting>): Row {
  const until = timeOf(event.atMs + inboundSeconds * 1_000)
  return {
    ...sharedColumns(deps, id, event, { client: '', unique: undefined }),
    mode: 'inbound',
    prefix: null,
    code: null,
    attempt: 0,
    start_until: until,
    end_until: until,
    trunk: event.trunk,
    caller_number: event.confirmationNumber,
    dialled_at: null,
    rang_at: null,
    reason: event.isSucceeded ? 'called' : 'not-called',
    sip_status: null,
    post_dial_ms: null,
    ring_ms: null,
    ended_by: null,
    client_digest: null,
    claim_token: null,
    assurance: event.isSucceeded ? 'ack' : null,
  }
}

function sharedColumns(
  deps: RowDeps,
  id: VerificationId,
  event: Call | Waiting,
  texts: { readonly client: string; readonly unique: string | undefined },
): Row {
  const { keys, index, randomBytes } = deps
  const { phone, atMs, endedMs, price, balanceBefore, isSucceeded } = event
  const { accountId, serviceId } = deps.customers[event.customer]
  const person = { phoneMask: mask(phone), ...texts }
  return {
    id,
    account_id: accountId,
    service_id: serviceId,
    state: isSucceeded ? 'succeeded' : 'failed',
    is_test: false,
    phone_hash: ofActiveKey(tenantHashes(keys.tenant, accountId, phone)),
    person_sealed: sealPerson(keys.records, serviceId, person, randomBytes(nonceBytes)),
    country,
    phone_info: phoneInfoOf(phone, country, index),
    price,
    balance_before: balanceBefore,
    pinned: false,
    charges_failed: false,
    repeat_ids: '{}',
    accepted_at: timeOf(atMs),
    ended_at: timeOf(endedMs),
  }
}

export function keyRow(deps: RowDeps, { id, event }: Numbered<Call>): readonly Row[] {
  const { serviceId } = deps.customers[event.customer]
  if (event.unique === undefined) return []
  const digest = ofActiveKey(uniqueDigests(deps.keys.tenant, serviceId, event.unique))
  return [{ service_id: serviceId, digest, id }]
}

export function holdRows(deps: RowDeps, { id, event }: Numbered<Call | Waiting>): readonly Row[] {
  const { atMs, endedMs, price, isSucceeded } = event
  const { accountId } = deps.customers[event.customer]
  const entry = { id, account_id: accountId, amount: price }
  return [
    { ...entry, sequence: 1, from_account: 'available', to_account: 'held', created_at: timeOf(atMs) },
    {
      ...entry,
      sequence: 2,
      from_account: 'held',
      to_account: isSucceeded ? 'revenue' : 'available',
      created_at: timeOf(endedMs),
    },
  ]
}

export function paymentRow(deps: RowDeps, { id, event }: Numbered<PaymentIn>): Row {
  const { accountId } = deps.customers[event.customer]
  const accounts = { from_account: 'external', to_account: 'available' }
  return { id, account_id: accountId, amount: event.amount, sequence: 1, ...accounts, created_at: timeOf(event.atMs) }
}

export function webhookRows(deps: RowDeps, { id, event }: Numbered<Waiting>): readonly Row[] {
  const { deliveries, endedMs, confirmationNumber } = event
  const last = deliveries.at(-1)
  if (!last) return []
  const { serviceId } = deps.customers[event.customer]
  const { receiver } = customers[event.customer]
  const { records } = deps.keys
  const step = stepAfter(last, deliveries.length, endedMs)
  const endedAt = timeOf(last.atMs + last.durationMs)
  return [
    {
      id,
      service_id: serviceId,
      is_test: false,
      state: step.state,
      reason: step.state === 'dead' ? step.reason : null,
      callback_sealed: seal(records, 'callback', serviceId, receiver, deps.randomBytes(nonceBytes)),
      receiver_digest: receiverDigest(records, new URL(receiver).host),
      confirmation_number: confirmationNumber,
      vault_name: randomUUID(),
      called_at: timeOf(endedMs),
      number_until: timeOf(endedMs + numberLifeSeconds * 1_000),
      due_at: endedAt,
      attempts: deliveries.length,
      attempts_before: 0,
      ended_at: endedAt,
    },
  ]
}

function stepAfter({ status, atMs, durationMs }: Delivery, nth: number, calledMs: number) {
  const lifeLeftSeconds = numberLifeSeconds - (atMs + durationMs - calledMs) / 1_000
  return afterAttempt(nth, { status, retryAfterSeconds: undefined }, lifeLeftSeconds)
}

export function attemptRows({ id, event }: Numbered<Waiting>): readonly Row[] {
  return event.deliveries.map(({ atMs, durationMs, status, response }, index) => ({
    id,
    attempt: index + 1,
    ended_at: timeOf(atMs + durationMs),
    duration_ms: durationMs,
    status,
    failure: null,
    response_start: redactResponse(Buffer.from(response)),
  }))
}
