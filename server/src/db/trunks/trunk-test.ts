import { secondsOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import type { SipMessage } from '../../domain/verifications/sip-message.ts'
import type { Session } from '../core/database.ts'

type TrunkTest = {
  readonly id: number
  readonly trunk: string
  readonly phoneMask: string
  readonly callerNumber: number
  readonly createdAt: Date
  readonly rangAfterMs: number | null
  readonly messages: readonly SipMessage[]
  readonly outcome: string | null
  readonly status: number | null
  readonly endedAt: Date | null
  readonly seenDigits: string | null
}

const columns = `id::float8 AS id, trunk, phone_mask AS "phoneMask", caller_number::float8 AS "callerNumber", created_at AS "createdAt",
  rang_after_ms AS "rangAfterMs", messages, outcome, sip_status AS status, ended_at AS "endedAt", seen_digits AS "seenDigits"`

// Old ones are of no use any more.
export async function insertTrunkTest(
  globalDatabase: Session,
  test: Pick<TrunkTest, 'trunk' | 'phoneMask' | 'callerNumber'>,
): Promise<number> {
  await globalDatabase.query(
    'DELETE FROM trunk_tests WHERE created_at < clock_timestamp() - make_interval(secs => $1)',
    [secondsOf(retention.trunkTests.kept)],
  )
  const { rows } = await globalDatabase.query<{ id: number }>(
    'INSERT INTO trunk_tests (trunk, phone_mask, caller_number) VALUES ($1, $2, $3) RETURNING id::float8 AS id',
    [test.trunk, test.phoneMask, test.callerNumber],
  )
  return rows[0]?.id ?? 0
}

export async function readTrunkTest(globalDatabase: Session, id: number): Promise<TrunkTest | undefined> {
  const { rows } = await globalDatabase.query<TrunkTest>(`SELECT ${columns} FROM trunk_tests WHERE id = $1`, [id])
  return rows[0]
}

// Of each trunk the last call after which the operator said which digits arrived.
export async function readAnsweredTests(
  globalDatabase: Session,
): Promise<readonly Pick<TrunkTest, 'trunk' | 'callerNumber' | 'seenDigits'>[]> {
  const { rows } = await globalDatabase.query<Pick<TrunkTest, 'trunk' | 'callerNumber' | 'seenDigits'>>(
    `SELECT DISTINCT ON (trunk) trunk, caller_number::float8 AS "callerNumber", seen_digits AS "seenDigits"
     FROM trunk_tests WHERE seen_digits IS NOT NULL ORDER BY trunk, id DESC`,
  )
  return rows
}

export async function noteTestProgress(
  globalDatabase: Session,
  { id, rangAfterMs, messages }: Pick<TrunkTest, 'id' | 'rangAfterMs' | 'messages'>,
): Promise<void> {
  await globalDatabase.query('UPDATE trunk_tests SET rang_after_ms = $2, messages = $3 WHERE id = $1', [
    id,
    rangAfterMs,
    JSON.stringify(messages),
  ])
}

export async function endTrunkTest(
  globalDatabase: Session,
  {
    id,
    rangAfterMs,
    messages,
    outcome,
    status,
  }: Omit<TrunkTest, 'trunk' | 'phoneMask' | 'callerNumber' | 'createdAt' | 'endedAt' | 'seenDigits'>,
): Promise<void> {
  await globalDatabase.query(
    `UPDATE trunk_tests SET rang_after_ms = $2, messages = $3, outcome = $4, sip_status = $5, ended_at = clock_timestamp()
     WHERE id = $1`,
    [id, rangAfterMs, JSON.stringify(messages), outcome, status],
  )
}

// The first answer stays.
export async function answerTrunkTest(globalDatabase: Session, id: number, digits: string): Promise<void> {
  await globalDatabase.query('UPDATE trunk_tests SET seen_digits = $2 WHERE id = $1 AND seen_digits IS NULL', [
    id,
    digits,
  ])
}
