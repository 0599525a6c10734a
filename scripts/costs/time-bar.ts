// Runs beside .ci/run and watches the machine. On SIGTERM it says how long the run took, and fails if that was longer than its
// bar on a quiet machine.
//
//   node scripts/costs/time-bar.ts NAME BAR SECONDS      the seconds that the run has taken so far

import { once } from 'node:events'
import { watchMachine } from './quiet.ts'

const [name = '', bar = '', soFar = ''] = process.argv.slice(2)
const startedMs = performance.now()
const watch = watchMachine(process.ppid)
// Until the signal.
const staying = setInterval(() => undefined, 60_000)
await once(process, 'SIGTERM')
clearInterval(staying)
const seconds = Number(soFar) + (performance.now() - startedMs) / 1_000
const { isKept, sentence } = watch.checkBar(name, seconds, Number(bar))
process.stdout.write(`${sentence}\n`)
process.exitCode = isKept ? 0 : 1
