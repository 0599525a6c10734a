import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Client } from 'pg'
import { connect } from '../../server/src/db/core/database.ts'
import { slotOfVerification, type VerificationId } from '../../server/src/domain/core/slot.ts'
import { atEnd } from '../support/at-end.ts'
import { asOwner, testDatabase } from '../support/database/test-database.ts'

const { url, ownerUrl } = await testDatabase()
const database = connect(ownerUrl)
atEnd(() => database.end())
const application = connect(url)
atEnd(() => application.end())

const secondOf = (id: number) => Math.floor(id / 2 ** 23)

async function nextIds(slot: number, count: number): Promise<readonly number[]> {
  const { rows } = await database.query<{ id: number }>('SELECT next_id($1) AS id FROM generate_series(1, $2)', [
    slot,
    count,
  ])
  return rows.map(({ id }) => id)
}

test('IDs are unique over sessions and slots, contain their slot, and their second is the current one', async () => {
  const perSlot = await Promise.all(
    Array.from({ length: 8 }, async (_, slot) => ({ slot, ids: await nextIds(slot, 5_000) })),
  )
  const ticks = new Set<string>()
  for (const { slot, ids } of perSlot) {
    for (const id of ids) {
      assert.equal(slotOfVerification(id as VerificationId), slot)
      ticks.add(`${secondOf(id)}:${id % 2 ** 17}`)
    }
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
  }
  // Unique even without the slot, because a database has one sequence.
  assert.equal(ticks.size, 40_000)
  const { rows } = await database.query<{ id: number; second: number }>(
    'SELECT next_id(0) AS id, floor(extract(epoch FROM clock_timestamp()))::bigint - id_epoch() AS second',
  )
  const [{ id: newest, second } = { id: 0, second: 0 }] = rows
  assert(Math.abs(secondOf(newest) - second) <= 1)
})

test('concurrent sessions get no duplicate ID when the second turns', async () => {
  assert.equal(await roundWithDuplicates('next_id', 300), undefined)
})

test('the search for duplicates finds them in a function without the lock', async () => {
  await copyNextId('lockless_next_id', 'PERFORM pg_advisory_xact_lock(1380533059, 1);', '')
  // It stops at the first; usually that is within the first fifty rounds.
  assert(await roundWithDuplicates('lockless_next_id', 5_000))
})

test('a sequence about to reach the current second is not moved', async () => {
  // Moved from so close, it could collide with sessions that drew their way there.
  const { ticks, border } = await drawnAtTheBorder()
  const before = border - 8
  assert.deepEqual(
    ticks,
    ticks.map((_, index) => before + 1 + index),
  )
})

test('a statement cancelled while it moves the sequence leaves no lock', async () => {
  await copyNextId(
    'slow_next_id',
    'PERFORM setval(',
    `RAISE NOTICE 'it has the lock'; PERFORM pg_sleep(60); PERFORM setval(`,
  )
  await setTicks(1n)
  // Its connection stays open, as in a pool.
  await asOwner(async (slow) => {
    const hasLock = once(slow, 'notice')
    const cancelled = assert.rejects(slow.query('SELECT slow_next_id(0)'), { code: '57014' })
    await hasLock
    assert.equal(await idLocks(), 1)
    await asOwner((client) => client.query('SELECT pg_cancel_backend($1)', [backendOf(slow)]), ownerUrl)
    await cancelled
    assert.equal(await idLocks(), 0)
    assert.equal((await nextIds(0, 1)).length, 1)
  }, ownerUrl)
})

test('a session that moved the sequence does not block others until its commit', async () => {
  await setTicks(1n)
  await asOwner(async (client) => {
    await client.query('BEGIN')
    const { rows } = await client.query<{ id: string }>('SELECT next_id(0) AS id')
    assert(secondOf(Number(rows[0]?.id)) > 0)
    assert.equal(await idLocks(), 0)
    await client.query('ROLLBACK')
    // A rollback does not move the sequence back either.
    const { rows: ticks } = await client.query<{ moved: boolean }>('SELECT last_value >> 17 > 0 AS moved FROM id_ticks')
    assert(ticks[0]?.moved)
  }, ownerUrl)
})

test('an invalid slot gets no ID', async () => {
  for (const slot of [-1, 64, 2 ** 31 - 1, null]) {
    await assert.rejects(database.query('SELECT next_id($1)', [slot]), /is not one of 0 to 63/, String(slot))
  }
  for (const slot of [0, 63]) assert.equal((await nextIds(slot, 1)).length, 1)
})

test('when a second is full, IDs continue in the next one', async () => {
  const [id = 0] = await nextIds(0, 1)
  const second = secondOf(id) + 50
  await setTicks((BigInt(second) << 17n) + 131_070n)
  const [last = 0, borrowed = 0] = await nextIds(0, 2)
  assert.equal(secondOf(last), second)
  assert.equal(secondOf(borrowed), second + 1)
  assert(borrowed > last)
})

test('a clock that is behind never yields a lower second than the last one', async () => {
  const [id = 0] = await nextIds(0, 1)
  // The sequence is an hour ahead of the clock, as after the clock was set back by an hour.
  await setTicks(BigInt(secondOf(id) + 3_600) << 17n)
  const ids = await nextIds(3, 100)
  for (const next of ids) assert.equal(secondOf(next), secondOf(id) + 3_600)
})

test('the application role can neither set the sequence nor draw from it', async () => {
  for (const statement of [`setval('id_ticks', 1)`, `nextval('id_ticks')`, 'next_id(0)']) {
    await assert.rejects(application.query(`SELECT ${statement}`), /permission denied/)
  }
})

async function setTicks(value: bigint): Promise<void> {
  await asOwner((client) => client.query(`SELECT setval('id_ticks', $1)`, [value]), ownerUrl)
}

// Sixteen sessions draw concurrently, round after round, each round with the sequence left in a past second. Returns
// the first round with a duplicate, or undefined. Two rounds may give the same ID, because the sequence was moved back
// in between.
async function roundWithDuplicates(name: string, rounds: number): Promise<number | undefined> {
  const sessions = await Promise.all(Array.from({ length: 16 }, () => createSession()))
  const draw = `SELECT ${name}(0) AS id FROM generate_series(1, 10)`
  try {
    for (let round = 1; round <= rounds; round++) {
      await sessions[0]?.query(`SELECT setval('id_ticks', 1)`)
      const answers = await Promise.all(sessions.map((session) => session.query<{ id: string }>(draw)))
      const ids = answers.flatMap(({ rows }) => rows.map(({ id }) => id))
      if (new Set(ids).size < ids.length) return round
    }
    return undefined
  } finally {
    await Promise.all(sessions.map((session) => session.end()))
  }
}

// Sixteen IDs with the sequence set eight before the current second; repeated if the second turned meanwhile.
async function drawnAtTheBorder(): Promise<{ ticks: readonly number[]; border: number }> {
  const now = `(floor(extract(epoch FROM clock_timestamp()))::bigint - id_epoch()) << 17`
  return asOwner(async (client) => {
    for (;;) {
      const answers: unknown = await client.query(
        `SELECT setval('id_ticks', (${now}) - 8) + 8 AS tick;
         SELECT next_id(0) AS tick FROM generate_series(1, 16);
         SELECT ${now} AS tick`,
      )
      const ticksOf = ({ rows }: { rows: { tick: string }[] }) => rows.map(({ tick }) => Number(tick))
      const [[border = 0] = [], ids = [], [after] = []] = (answers as { rows: { tick: string }[] }[]).map(ticksOf)
      if (border === after) return { ticks: ids.map((id) => secondOf(id) * 2 ** 17 + (id % 2 ** 17)), border }
    }
  }, ownerUrl)
}

async function createSession(): Promise<Client> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  return client
}

// The current function with a fault: `there` is replaced everywhere.
async function copyNextId(name: string, there: string, instead: string): Promise<void> {
  await asOwner(async (client) => {
    const { rows } = await client.query<{ text: string }>(`SELECT pg_get_functiondef('next_id'::regproc) AS text`)
    const [text = ''] = rows.map((row) => row.text)
    assert(text.includes(there), `next_id no longer contains ${there}`)
    await client.query(text.replaceAll(there, instead).replace('public.next_id(', `public.${name}(`))
  }, ownerUrl)
}

async function idLocks(): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
     WHERE l.locktype = 'advisory' AND d.datname = current_database()`,
  )
  return rows[0]?.count ?? -1
}

// Present in pg, missing in its types.
function backendOf(client: Client): number | null {
  return (client as Client & { processID: number | null }).processID
}
