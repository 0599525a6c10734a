// `npm run bench` compares Ringproof with the servers it stands on, on the private stack, in about five minutes. It prints one
// JSON line for each measure and writes docs/operations/performance.md and its plots.
//
// No machine is quiet all the time, so each round runs an anchor and then our measurement, and the reported ratio is the
// median of the rounds.

import { auditLedger } from '../server/src/actions/money/ledger.ts'
import { createSlotMap } from '../server/src/db/core/slot-map.ts'
import { slotsAll } from '../server/src/domain/core/slot.ts'
import { createBenchEnv } from './environment.ts'
import { measureAll } from './measures.ts'
import { writePage } from './page.ts'

const startedMs = performance.now()
const env = await createBenchEnv()
try {
  const figures = await measureAll(env, say)
  await assertLedgerAgrees()
  for (const line of figures.lines) process.stdout.write(`${JSON.stringify(line)}\n`)
  writePage(figures)
} finally {
  await env.close()
}
say(`done in ${Math.round((performance.now() - startedMs) / 1000)} s; docs/operations/performance.md is written`)

// The figures of a run with ledger discrepancies are worthless.
async function assertLedgerAgrees(): Promise<void> {
  for (const url of env.urls) {
    const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, url])))
    const { accounts, sum, faults } = await auditLedger({ slots })
    await slots.close()
    if (faults.length > 0 || sum !== 0)
      throw new Error(`the ledger has discrepancies: ${faults.slice(0, 3).join('; ')}`)
    say(`the ledger of ${accounts} accounts is consistent`)
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
