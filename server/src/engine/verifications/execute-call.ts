// Executes one call order, from its claim to its end in the database. The order is already decrypted: a call that cannot be
// dialled is never claimed.

import { randomInt } from 'node:crypto'
import { type SlotMap, sharesDatabase } from '../../db/core/slot-map.ts'
import type { CallBatches } from '../../db/verifications/call-batches.ts'
import type { CallEnd, Claimed } from '../../db/verifications/verification.ts'
import { slotOfVerification } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { type MicroAmount, toDecimal } from '../../domain/money/money.ts'
import { slotOfNumber, subscriberHashes } from '../../domain/numbers/phone-number.ts'
import { type CallOrder, type CallRoute, nextOrder, routeOf } from '../../domain/verifications/call-order.ts'
import { type AttemptOutcome, type CallProgress, outcomeOf } from '../../domain/verifications/call-outcome.ts'
import { chargeOf, isTooLateToDial, startDeadlineMs } from '../../domain/verifications/verification.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'
import type { Traces } from '../../process/traces/traces.ts'
import type { NoteChange } from '../core/live-hints.ts'
import type { PlaceOrder } from '../trunks/place-call.ts'
import type { RouteCounts } from '../trunks/route-counts.ts'
import type { Dispatch } from './dispatch.ts'
import type { SipRecorder } from './sip-recorder.ts'
import { inviteSpan } from './trace-call.ts'

export type ExecuteDeps = {
  readonly dispatch: Dispatch
  readonly batches: CallBatches
  readonly slots: SlotMap
  readonly place: PlaceOrder
  readonly keys: { readonly sealNumbers: KeyRing; readonly phoneSubscriber: KeyRing; readonly phoneSlot: KeyRing }
  readonly timeScale: number
  readonly clock: Clock
  readonly events: Pick<Events, 'callEnded' | 'charged'>
  readonly traces?: Traces | undefined
  readonly noteChange: NoteChange
  readonly sipRecorder: Pick<SipRecorder, 'note'>
  readonly routeCounts: Pick<RouteCounts, 'note'>
  readonly log: Logger
}

type End = Pick<CallEnd, 'succeeded' | 'reason' | 'sipStatus' | 'timing' | 'isSilent'>

const retryMs = 500
const endTries = 40
const tokenMax = 2 ** 48 - 1

export async function executeCall(deps: ExecuteDeps, order: CallOrder): Promise<void> {
  const route = routeOf(order)
  if (!route) throw new RangeError('call order has no route for its attempt')
  const { id, attempt, mode } = order
  const { claimed, claimedMs } = await claim(deps, order, route)
  // Another worker claimed it, it has ended, or its start deadline has passed.
  if (claimed === undefined) return
  deps.traces?.record(id, { name: 'claim', startedMs: claimedMs, attributes: { attempt, trunk: route.trunk } })
  const sinceMs = deps.clock.monotonicMs() - claimedMs
  if (isTooLateToDial(claimed.ageMs, sinceMs, deps.timeScale)) {
    deps.log.warn({ vendor_id: id, attempt, trunk: route.trunk, claim_ms: Math.round(sinceMs) }, 'call claim too old')
    const end: End = { succeeded: false, reason: 'not-started', sipStatus: undefined }
    reportEnd(deps, order, route, {
      ...end,
      outcome: 'failed',
      price: claimed.price,
      settleMs: claimed.ageMs + sinceMs,
    })
    await writeEnd(deps, order, end)
    return
  }
  const { end, talkMs, mayTryNextTrunk } = await placeAndFollow(deps, order, route, claimed.leftMs - sinceMs)
  const next = mayTryNextTrunk ? nextOrder(order) : undefined
  const outcome = next ? 'next-trunk' : end.succeeded ? 'succeeded' : 'failed'
  const endedMs = deps.clock.monotonicMs()
  const settleMs = claimed.ageMs + endedMs - claimedMs
  reportEnd(deps, order, route, { ...end, talkMs, outcome, price: claimed.price, settleMs })
  if (next) return deps.dispatch.dispatchCall(next)
  if (!(await writeEnd(deps, order, end))) return
  const charge = chargeOf({ ...claimed, state: end.succeeded ? 'succeeded' : 'failed', reason: end.reason })
  deps.events.charged(mode, charge)
  const hold = charge > 0 ? 'captured' : 'released'
  deps.traces?.record(id, { name: 'charge', startedMs: endedMs, attributes: { outcome: hold } })
}

// Retries until the start deadline while the database is down: a claim whose response was lost may have been committed, and then no
// other worker can dial. The time is that of the last try, which found that the call is still ours.
async function claim(
  { batches, clock }: ExecuteDeps,
  { id, attempt, ladder }: CallOrder,
  { trunk, callerNumber }: CallRoute,
): Promise<{ readonly claimed: Claimed | undefined; readonly claimedMs: number }> {
  const token = randomInt(tokenMax)
  for (let triesLeft = startDeadlineMs / retryMs; ; triesLeft--) {
    const claimedMs = clock.monotonicMs()
    try {
      return { claimed: await batches.claim({ id, attempt, trunk, callerNumber, ladder, token }), claimedMs }
    } catch (error) {
      if (triesLeft === 0) throw error
      await clock.sleep(retryMs, AbortSignal.any([]))
    }
  }
}

type ReportedEnd = End & {
  readonly outcome: AttemptOutcome
  readonly price: MicroAmount
  readonly talkMs?: number | undefined
  // Since the verification was accepted.
  readonly settleMs: number
}

// The call detail record of one attempt: no number, no code.
function reportEnd(
  { events, log }: ExecuteDeps,
  { id, attempt, mode }: CallOrder,
  { trunk }: CallRoute,
  { outcome, price, settleMs, talkMs, reason, sipStatus, timing }: ReportedEnd,
): void {
  const { postDialMs, ringMs } = timing ?? {}
  events.callEnded({ trunk, mode, outcome, sipStatus, postDialMs, ringMs, talkMs, settleMs })
  log.info(
    {
      vendor_id: id,
      attempt,
      trunk,
      mode,
      outcome,
      reason,
      sip_status: sipStatus,
      post_dial_ms: postDialMs,
      ring_ms: ringMs,
      price: toDecimal(price),
    },
    'call ended',
  )
}

type Placed = { readonly end: End; readonly talkMs: number | undefined; readonly mayTryNextTrunk: boolean }

async function placeAndFollow(deps: ExecuteDeps, order: CallOrder, route: CallRoute, leftMs: number): Promise<Placed> {
  const { id, accountId, attempt, mode } = order
  const call = await deps.place(order, route, leftMs)
  // Ringing is recorded at once in case this process dies before the call ends. If that write fails, the end records it.
  const ringing = call.rang
    .then((rang) => (rang ? deps.batches.rang({ id, attempt }) : undefined))
    .catch(() => undefined)
    .then(() => deps.noteChange(accountId, 'verifications', 'phones'))
  const progress = await call.progress
  const outcome = outcomeOf(mode, progress, route.countsEarlyMedia)
  deps.traces?.record(id, inviteSpan(deps.clock, order, route.trunk, progress, outcome))
  await ringing
  const { succeeded, reason, mayTryNextTrunk } = outcome
  deps.sipRecorder.note({ id, attempt, trunk: route.trunk, succeeded, messages: call.messages })
  const timing = timingOf(progress, route.countsEarlyMedia)
  deps.routeCounts.note(order, route.trunk, timing.postDialMs !== undefined)
  const { answeredAtMs, endedAtMs } = progress
  const talkMs = answeredAtMs === undefined ? undefined : Math.max(0, endedAtMs - answeredAtMs)
  const isSilent = [progress.rangAtMs, progress.earlyMediaAtMs, answeredAtMs].every((atMs) => atMs === undefined)
  return { end: { succeeded, reason, sipStatus: progress.status, timing, isSilent }, talkMs, mayTryNextTrunk }
}

function timingOf(progress: CallProgress, countsEarlyMedia: boolean): NonNullable<CallEnd['timing']> {
  const postDialMs = progress.rangAtMs ?? (countsEarlyMedia ? progress.earlyMediaAtMs : undefined)
  const ringingUntilMs = progress.answeredAtMs ?? progress.endedAtMs
  const ringMs = postDialMs === undefined ? undefined : Math.max(0, ringingUntilMs - postDialMs)
  return { postDialMs, ringMs, endedBy: progress.endedBy }
}

// Retries for 20 seconds while the database is down. A call whose end is still not written is ended by the keeper. False if
// the call had ended before.
async function writeEnd(deps: ExecuteDeps, order: CallOrder, end: End): Promise<boolean> {
  const { id, attempt, number, numberLeaseId } = order
  const { slots, keys, clock } = deps
  const slot = slotOfNumber(keys.phoneSlot, number)
  const hashes = subscriberHashes(keys.phoneSubscriber, number)
  const isLocalShard = sharesDatabase(slots, slot, slotOfVerification(id))
  for (let attemptsLeft = endTries; ; attemptsLeft--) {
    try {
      const isEnded = await deps.batches.end({
        id,
        attempt,
        ...end,
        numberHashes: isLocalShard ? hashes : undefined,
        numberLeaseId,
      })
      if (!isLocalShard && !order.isTest)
        await deps.batches.closeNumber({ slot, hashes, leaseId: numberLeaseId, givesBack: false })
      deps.noteChange(order.accountId, 'verifications', 'phones', 'start')
      return isEnded
    } catch (error) {
      if (attemptsLeft === 0) throw error
      await clock.sleep(retryMs, AbortSignal.any([]))
    }
  }
}
