// Waits for a subscriber's call in the record: the functions of migrations 0015 and 0016.

import type { MicroRoubles } from '../domain/money.ts'
import type { PhoneInfo } from '../domain/number-picture.ts'
import type { AccountId, ServiceId, VerificationId } from '../domain/slot.ts'
import type { AcceptVerdict } from './call.ts'
import { type Database, inTransaction, type Session } from './database.ts'

export type WaitRequest = {
  readonly accountId: AccountId
  readonly serviceId: ServiceId
  readonly isTest: boolean
  readonly phoneHash: Buffer
  readonly phoneMask: string
  readonly country: string
  readonly phoneInfo: PhoneInfo | undefined
  readonly price: MicroRoubles
  readonly hourMax: number | null
  readonly dayMax: number | null
  readonly spendMax: MicroRoubles | null
  // Under every key that may still be in use, the newest first.
  readonly subscriberHashes: readonly Buffer[]
  readonly candidates: readonly { readonly number: number; readonly trunk: string }[]
  readonly callbackSealed: Buffer
  readonly receiverDigest: Buffer
  readonly waitSeconds: number
  readonly testCallSeconds: number | undefined
}

export type StartedWait =
  | { readonly verdict: 'accepted'; readonly id: VerificationId; readonly confirmationNumber: number }
  | {
      readonly verdict: Exclude<AcceptVerdict, 'accepted'> | 'waits-used-up' | 'no-number'
      readonly retryMs: number | null
    }

// Those that have met are started in one transaction. Accounts are locked in their order and subscribers come in theirs, so
// that two batches cannot deadlock.
export async function startWaits(
  database: Database,
  waits: readonly WaitRequest[],
  timeScale: number,
): Promise<readonly StartedWait[]> {
  return inTransaction(database, async (session) => {
    await session.query('SELECT lock_accounts($1)', [waits.map(({ accountId }) => accountId)])
    const started: StartedWait[] = []
    for (const [index, wait] of [...waits.entries()].toSorted(([, a], [, b]) => bySubscriber(a, b))) {
      started[index] = await startWait(session, wait, timeScale)
    }
    return started
  })
}

function bySubscriber(a: WaitRequest, b: WaitRequest): number {
  return Buffer.compare(a.subscriberHashes[0] ?? Buffer.of(), b.subscriberHashes[0] ?? Buffer.of())
}

async function startWait(session: Session, wait: WaitRequest, timeScale: number): Promise<StartedWait> {
  const { rows } = await session.query<StartedWait>(
    `SELECT verdict, id, confirmation_number AS "confirmationNumber", retry_ms AS "retryMs"
     FROM start_wait($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      JSON.stringify(toRequestRecord(wait)),
      wait.subscriberHashes,
      wait.candidates.map(({ number }) => number),
      wait.candidates.map(({ trunk }) => trunk),
      wait.callbackSealed,
      wait.receiverDigest,
      wait.waitSeconds,
      wait.testCallSeconds ?? null,
      timeScale,
    ],
  )
  const [started] = rows
  if (!started) throw new Error('a wait was neither started nor refused')
  return started
}

// The wait that a call from the subscriber to the number belongs to; the open one, where there is one, else the last.
export async function findWait(
  session: Session,
  confirmationNumber: number,
  subscriberHashes: readonly Buffer[],
): Promise<{ readonly id: VerificationId; readonly isOpen: boolean; readonly isOver: boolean } | undefined> {
  const { rows } = await session.query<{ id: VerificationId; isOpen: boolean; isOver: boolean }>(
    `SELECT id, is_open AND until > clock_timestamp() AS "isOpen", until <= clock_timestamp() AS "isOver"
     FROM waits WHERE confirmation_number = $1 AND subscriber_hash = ANY ($2) AND NOT is_test
     ORDER BY 2 DESC, until DESC LIMIT 1`,
    [confirmationNumber, subscriberHashes],
  )
  return rows[0]
}

export type WaitProof = { readonly id: VerificationId; readonly vaultName: string }

// For each whether it was proved: false when it was over, or proved already.
export async function proveWaits(
  session: Session,
  proofs: readonly WaitProof[],
  lifeSeconds: number,
): Promise<readonly boolean[]> {
  const { rows } = await session.query<{ place: number }>('SELECT prove_waits($1, $2, $3) AS place', [
    proofs.map(({ id }) => id),
    proofs.map(({ vaultName }) => vaultName),
    lifeSeconds,
  ])
  const proved = new Set(rows.map(({ place }) => place))
  return proofs.map((_, index) => proved.has(index + 1))
}

// Open waits whose test number calls now.
export async function readTestCalls(session: Session): Promise<readonly VerificationId[]> {
  const { rows } = await session.query<{ id: VerificationId }>(
    'SELECT id FROM waits WHERE is_open AND test_call_at <= clock_timestamp() ORDER BY test_call_at LIMIT 100',
  )
  return rows.map(({ id }) => id)
}

export async function endOverdueWaits(session: Session, timeScale: number): Promise<number> {
  const { rows } = await session.query<{ ended: number }>('SELECT end_overdue_waits($1) AS ended', [timeScale])
  return rows[0]?.ended ?? 0
}

// As a call_request of migration 0010, without what a call out alone has.
function toRequestRecord(wait: WaitRequest): Record<string, unknown> {
  return {
    account_id: wait.accountId,
    service_id: wait.serviceId,
    is_test: wait.isTest,
    mode: 'inbound',
    phone_hash: `\\x${wait.phoneHash.toString('hex')}`,
    phone_mask: wait.phoneMask,
    country: wait.country,
    phone_info: wait.phoneInfo,
    price: wait.price,
    hour_max: wait.hourMax,
    day_max: wait.dayMax,
    spend_max: wait.spendMax,
  }
}
