// `npm run bench -- routes` fills the routing table with many trunks and caller numbers, and prints what a process pays for it: CPU
// of a read that finds a change and of one that finds none, the first call after a change, and every later one.

import { Pool } from 'pg'
import { type CallRouting, readCallRouting } from '../server/src/db/trunks/routing-table.ts'
import { createPrefixGate } from '../server/src/domain/protection/prefix-gate.ts'
import { routesFor } from '../server/src/domain/trunks/routing.ts'
import { createBenchEnv, sql } from './environment.ts'
import { median } from './load.ts'

type Setup = { readonly trunks: number; readonly rangesEach: number; readonly numbersEach: number }

const rounds = 5
const callsEach = 50
const setups: readonly Setup[] = [
  { trunks: 1, rangesEach: 1, numbersEach: 10_000 },
  { trunks: 100, rangesEach: 10, numbersEach: 1_000 },
  { trunks: 100, rangesEach: 1_000, numbersEach: 1 },
  { trunks: 1_000, rangesEach: 100, numbersEach: 1 },
  { trunks: 10_000, rangesEach: 1, numbersEach: 1_000 },
]

const env = await createBenchEnv()
const [ownerUrl] = env.ownerUrls
const database = new Pool({ connectionString: ownerUrl, max: 8 })
try {
  for (const setup of setups) {
    await fill(setup)
    process.stdout.write(`${JSON.stringify({ ...setup, ...(await measure()) })}\n`)
  }
} finally {
  await database.end()
  await env.close()
}

async function fill({ trunks, rangesEach, numbersEach }: Setup): Promise<void> {
  await sql(ownerUrl, 'TRUNCATE trunks, caller_ranges CASCADE')
  await sql(
    ownerUrl,
    `INSERT INTO trunks (name, priority, countries, channels, calls_per_second)
     SELECT 't' || n, n, '{RU}', 1000, 1000 FROM generate_series(1, $1::int) AS n`,
    [trunks],
  )
  // Each range begins three times its length after the last one, so that none are neighbours.
  await sql(
    ownerUrl,
    `INSERT INTO caller_ranges (trunk, country, first_number, last_number)
     SELECT 't' || n, 'RU', first, first + $3::bigint - 1
     FROM generate_series(1, $1::int) AS n, generate_series(1, $2::int) AS m,
       LATERAL (SELECT 70000000000 + (n::bigint * $2 + m) * $3 * 3 AS first) AS place`,
    [trunks, rangesEach, numbersEach],
  )
  await sql(ownerUrl, 'ANALYZE')
}

async function measure() {
  const gate = createPrefixGate(1)
  const times: Record<'read_changed' | 'read_unchanged' | 'first_call' | 'call', number[]> = {
    read_changed: [],
    read_unchanged: [],
    first_call: [],
    call: [],
  }
  for (let round = 0; round < rounds; round++) {
    let startedMs = cpuMs()
    const table = await readCallRouting(database, gate)
    times.read_changed.push(cpuMs() - startedMs)
    startedMs = cpuMs()
    await readCallRouting(database, gate, table)
    times.read_unchanged.push(cpuMs() - startedMs)
    startedMs = performance.now()
    table.codesFor('RU')
    route(table, 0)
    times.first_call.push(performance.now() - startedMs)
    startedMs = performance.now()
    for (let nth = 0; nth < callsEach; nth++) route(table, nth)
    times.call.push((performance.now() - startedMs) / callsEach)
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => [`${name}_ms`, Number(median(all).toPrecision(2))]),
  )
}

// Eight are enough, as for a call while one of them has a free channel.
function route({ trunks, ranges }: CallRouting, nth: number): void {
  const wanted = { country: 'RU', mode: 'flash', code: String(1_000 + nth) } as const
  routesFor(trunks, ranges, wanted, 0.5, (found) => found.length === 8)
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
