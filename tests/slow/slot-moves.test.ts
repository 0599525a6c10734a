// Slots move between three databases while real processes serve: a new shard gets two, one of them goes back, and one move is
// killed and taken up again. Calls are only ever delayed or refused with code 5 for a second, and none is lost or charged twice.
// With a fence that lets changes pass, the same run must find that.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { type Database, nameOf } from '../../server/src/db/core/database.ts'
import { createSlotMap, type SlotMap } from '../../server/src/db/core/slot-map.ts'
import { type Slot, slotsAll } from '../../server/src/domain/core/slot.ts'
import { atEnd } from '../support/at-end.ts'
import { assertEmpty, makeServiceIn } from '../support/database/moving-slot.ts'
import { testDatabase } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { ringproof, start } from '../support/process/cli.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { type Served, serveProcess, type TestService } from '../support/process/server.ts'
import { stackSetting, withDatabase } from '../support/stack-settings.ts'

const perSecond = Number(process.env['SLOT_MOVES_PER_SECOND'] ?? 20)
const disturbedMsMax = 1_000

const [installation, spare] = await Promise.all([installPhones(1, 2), testDatabase()])
const shardUrls = `${installation.environment['RINGPROOF_SHARD_URLS']} spare=${spare.url}`
const environment = { ...installation.environment, RINGPROOF_SHARD_URLS: shardUrls }
const ownerEnvironment = { ...environment, RINGPROOF_SHARD_OWNER_URLS: shardUrls.replaceAll(/postgres:\S+/g, ownerOf) }
const slots = createSlotMap(ownerMap())
atEnd(() => slots.close())
await slots.refresh()
const third = slots.databases.at(-1) as Database

test('slots move under load: code 5 for a second at most, every call ends once, the ledger balances', async (t) => {
  const services = await Promise.all([3, 9, 40, 41].map((slot) => makeServiceIn({ ...installation, slots }, slot)))
  const processes = await startAll()
  const load = createLoad(services, processes.slice(0, 2))
  await load.settled(2_000)
  const [first, second] = [slots.databaseOf(3 as Slot), slots.databaseOf(40 as Slot)]
  const moves: { slot: number; frozenMs: number; refused: number; disturbedMs: number }[] = []
  const move = async (slot: number, to: Database) => {
    const since = load.mark()
    const { frozenMs } = await runMove(slot, to)
    await load.settled(1_500)
    moves.push({ slot, frozenMs, ...load.refusedSince(since) })
  }
  await move(3, third)
  await killMove(40, third)
  await move(40, third)
  await move(3, first)
  await move(9, second)
  const { accepted, sent } = await load.close()
  t.diagnostic(JSON.stringify({ sent, accepted: accepted.length, moves }))
  assert.deepEqual(await slots.refresh(), [9, 40])
  for (const { slot, disturbedMs } of moves) assert(disturbedMs <= disturbedMsMax, `slot ${slot}: ${disturbedMs} ms`)
  await assertAllEnded(services, accepted)
  for (const [database, slot] of [
    [first, 9],
    [second, 40],
    [third, 3],
  ] as const)
    await assertEmpty(database, slot as Slot)
  const listed = await ringproof(environment, 'slots', 'list')
  assert(listed.out.includes(`${nameOf(third)}: slots 40`), listed.out)
  for (const { output } of processes) assert(!output().includes('"level":"fatal"'), output())
})

test('with a fence that lets changes pass, the move refuses or calls are lost', async () => {
  const service = await makeServiceIn({ ...installation, slots }, 12)
  const processes = await startAll()
  const source = slots.databaseOf(12 as Slot)
  const { rows } = await source.query<{ text: string }>(
    `SELECT pg_get_functiondef('note_slot_change'::regproc) AS text`,
  )
  const [text = ''] = rows.map((row) => row.text)
  const seeded = text.replace('RAISE EXCEPTION', 'RETURN NEW; RAISE EXCEPTION')
  assert.notEqual(seeded, text)
  await source.query(seeded)
  const load = createLoad([service], processes.slice(0, 2))
  const run = async () => {
    await load.settled(1_000)
    await runMove(12, third)
    await load.settled(1_500)
    const { accepted } = await load.close(false)
    await slots.refresh()
    await assertAllEnded([service], accepted)
  }
  try {
    await assert.rejects(run(), 'the seeded fault was not found')
  } finally {
    await load.close(false)
    await source.query(text)
  }
})

function ownerOf(url: string): string {
  return withDatabase(stackSetting('RINGPROOF_DATABASE_OWNER_URL'), new URL(url).pathname.slice(1))
}

function ownerMap(): ReadonlyMap<Slot, string> {
  const [low = '', high = '', extra = ''] = shardUrls.split(' ').map((part) => ownerOf(part.replace(/^[^=]+=/, '')))
  return new Map([...slotsAll.map((slot): [Slot, string] => [slot, slot < 32 ? low : high]), [64 as Slot, extra]])
}

async function startAll(): Promise<readonly Served[]> {
  const roles = ['api', 'api', 'calls', 'webhooks,keeper']
  return Promise.all(
    roles.map((role, nth) =>
      serveProcess({ ...installation, environment }, { RINGPROOF_NODE: `node-${nth}` }, '--roles', role),
    ),
  )
}

async function runMove(slot: number, to: Database): Promise<{ readonly frozenMs: number }> {
  const { status, out, err } = await ringproof(
    ownerEnvironment,
    'slots',
    'move',
    String(slot),
    '--to',
    nameOf(to),
    '--json',
  )
  assert.equal(status, 0, err)
  return JSON.parse(out) as { frozenMs: number }
}

async function killMove(slot: number, to: Database): Promise<void> {
  const running = start(ownerEnvironment, 'slots', 'move', String(slot), '--to', nameOf(to))
  await poll('the move to have copied rows', () => running.output().includes('Copied') || hasExited(running))
  running.process.kill('SIGKILL')
  await running.ended
}

function hasExited({ process: { exitCode } }: ReturnType<typeof start>): boolean {
  return exitCode !== null
}

// Fresh calls of all services in turn, over both processes. A client does not retry here: every refusal counts.
function createLoad(services: readonly TestService[], processes: readonly Served[]) {
  const accepted: number[] = []
  const refused: { readonly atMs: number; readonly text: string }[] = []
  const inFlight = new Set<Promise<void>>()
  let n = 0
  const send = async () => {
    const nth = n++
    const [service, process] = [services[nth % services.length], processes[Math.floor(nth / 3) % processes.length]]
    const body = { phone: freshNumber('180'), unique: `call ${nth}` }
    const asked = await ask(`${process?.base}/v1.0/initCall`, { method: 'POST', headers: service?.bearer ?? {}, body })
    if (asked.status === 200) accepted.push(Number(asked.json['vendor_id']))
    else refused.push({ atMs: performance.now(), text: asked.text })
  }
  const timer = setInterval(() => {
    const done: Promise<void> = send()
      .catch((error: unknown) => void refused.push({ atMs: performance.now(), text: String(error) }))
      .finally(() => inFlight.delete(done))
    inFlight.add(done)
  }, 1_000 / perSecond)
  return {
    mark: () => refused.length,
    settled: async (ms: number) => {
      const untilMs = performance.now() + ms
      await poll('the load to go on', () => performance.now() > untilMs)
    },
    // How many, and how long they lasted: refusals that are half a second apart are not one outage.
    refusedSince: (since: number) => {
      const own = refused.slice(since)
      let [disturbedMs, beganMs, lastMs] = [0, 0, 0]
      for (const { atMs } of own) {
        if (atMs - lastMs > 500) beganMs = atMs
        lastMs = atMs
        disturbedMs = Math.max(disturbedMs, Math.round(lastMs - beganMs))
      }
      return { refused: own.length, disturbedMs }
    },
    close: async (isChecked = true) => {
      clearInterval(timer)
      await Promise.all(inFlight)
      if (isChecked) for (const { text } of refused) assert.match(text, /"code":5\b/, 'refused with another code')
      return { accepted, sent: n, refused: refused.length }
    },
  }
}

// Every accepted call is in one database, has ended once and was paid for.
async function assertAllEnded(services: readonly TestService[], accepted: readonly number[]): Promise<void> {
  const ids = services.map(({ accountId }) => accountId)
  const read = async (map: SlotMap) => {
    const parts = await Promise.all(
      map.databases.map((database) =>
        database.query<{ id: number; state: string }>(
          'SELECT id, state FROM verifications WHERE account_id = ANY ($1) ORDER BY id',
          [ids],
        ),
      ),
    )
    return parts.flatMap(({ rows }) => rows)
  }
  const isOver = (calls: readonly { state: string }[]) =>
    calls.every(({ state }) => state === 'succeeded' || state === 'failed')
  const calls = await poll('every call to end', () => read(slots), isOver, { timeoutMs: 90_000, intervalMs: 200 })
  const known = calls.map(({ id }) => id)
  assert.equal(new Set(known).size, known.length, 'a call is in two databases')
  const lost = accepted.filter((id) => !new Set(known).has(id))
  assert.deepEqual(lost, [], 'accepted calls are lost')
  const failed = calls.filter(({ id, state }) => state === 'failed' && accepted.includes(id))
  assert.deepEqual(failed, [], 'an accepted call was not made')
  const audit = await auditLedger({ slots })
  assert.deepEqual([audit.faults, audit.sum], [[], 0])
}
