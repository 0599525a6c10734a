// What stands so far, measured beside its bare engines in one run: `npm run bench`, on the private stack, in less than five
// minutes. One JSON line a measure on standard output; docs/operations/performance.md and its plots are written from the same figures.
//
// The machine is never quite quiet, so what is compared runs side by side: several rounds in which each anchor is followed
// by ours, and the middle ratio of the rounds is the one that is told.

import { auditLedger } from '../server/src/actions/audit-ledger.ts'
import { createSlotMap } from '../server/src/db/slot-map.ts'
import { slotsAll } from '../server/src/domain/slot.ts'
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

// A figure of a run that lost money is worth nothing.
async function assertLedgerAgrees(): Promise<void> {
  for (const url of env.urls) {
    const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, url])))
    const { accounts, sum, faults } = await auditLedger({ slots })
    await slots.close()
    if (faults.length > 0 || sum !== 0) throw new Error(`the ledger do not agree: ${faults.slice(0, 3).join('; ')}`)
    say(`the ledger of ${accounts} accounts agree`)
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
