// docs/operations/performance.md and its plots. The words are written here once; every figure comes from the run.

import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, totalmem } from 'node:os'
import { itemsMax } from '../server/src/db/micro-batch.ts'
import { inFlightMax } from '../server/src/http/concurrency-limit.ts'
import { pgbenchClients } from './anchors.ts'
import type { Costs, Figures, Line } from './measures.ts'
import { curves, parts, ratios } from './plot.ts'

const docs = new URL('../docs/operations/', import.meta.url)

// Looked at before the run begins, which is a load itself.
const wasBusy = (loadavg()[0] ?? 0) > availableParallelism() / 2
const busySentence = 'The machine was busy with other work when this run was made, and its figures tell of that, too.'

// What a flash call costs of Asterisk's processor; `npm run verify:calls` measures it.
const asteriskMs = 3
// Calls a second of one Asterisk, as RINGPROOF_NODE_CALLS_PER_SECOND has it.
const asteriskPerSecond = 100
// A processor that is busier than this answers late.
const busyMax = 0.5
const rates = [10, 100, 1_000, 10_000]

export function writePage(figures: Figures): void {
  mkdirSync(new URL('performance/', docs), { recursive: true })
  const write = (path: string, text: string) => writeFileSync(new URL(path, docs), text)
  for (const [name, plot] of Object.entries(plotsOf(figures))) write(`performance/${name}.svg`, plot)
  write('performance.md', pageOf(figures))
}

function plotsOf({ lines, steps, peakPerSecond, costs }: Figures): Record<string, string> {
  const percent = (perSecond: number) => (100 * perSecond) / peakPerSecond
  const offered = (of: (step: Figures['steps'][number]) => number) =>
    steps.map((step) => [percent(step.offeredPerSecond), of(step)] as const)
  const offeredAxis = { title: 'offered, % of the peak', ticks: [0, 25, 50, 75, 100, 125, 150, 175, 200] }
  return {
    ratios: ratios(
      'Ours beside the bare engine, as a ratio',
      lines
        .filter(({ goal_p99_ms }) => goal_p99_ms === undefined)
        .map(({ measure, ratio, goal }) => ({ name: measure, figure: ratio, goal })),
    ),
    latency: curves(
      'How long an accept over HTTP takes, from the moment it was due',
      offeredAxis,
      { title: 'ms', ticks: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000], isLog: true },
      [
        { name: 'p50', colour: 'blue', points: offered(({ p50Ms }) => p50Ms) },
        { name: 'p99', colour: 'orange', points: offered(({ p99Ms }) => p99Ms) },
        {
          name: '50 ms',
          colour: 'grey',
          isDashed: true,
          points: [
            [0, 50],
            [200, 50],
          ],
        },
      ],
    ),
    overload: curves(
      'What becomes of more than goes through',
      offeredAxis,
      { title: 'a second, % of the peak', ticks: [0, 25, 50, 75, 100, 125] },
      [
        { name: 'accepted', colour: 'green', points: offered(({ perSecond }) => percent(perSecond)) },
        {
          name: 'refused, code 5',
          colour: 'orange',
          points: offered((step) => percent((step.perSecond * step.refused) / step.good)),
        },
        {
          name: 'goal',
          colour: 'grey',
          isDashed: true,
          points: [
            [100, 80],
            [200, 80],
          ],
        },
      ],
    ),
    cost: parts('What one verification costs of processors', 'ms', [
      { name: 'Asterisk, a flash call', figure: asteriskMs, colour: 'grey' },
      { name: 'api', figure: costs.apiMs, colour: 'blue' },
      { name: 'PostgreSQL', figure: costs.postgresMs, colour: 'green' },
      { name: 'NATS', figure: costs.natsMs, colour: 'orange' },
    ]),
  }
}

function pageOf(figures: Figures): string {
  const { lines, costs, batchSize, peakPerSecond, versions } = figures
  const twice = lines.at(-1)
  if (!twice) throw new Error('there is nothing to tell')
  return `# Performance

What stands so far, beside its bare engines. \`npm run bench\` measures everything here in one go on the private stack and
writes this page and its plots; absolute figures are those of one machine, ratios are what to hold it to.

Measured on ${availableParallelism()} processors and ${Math.round(totalmem() / 2 ** 30)} GB, with PostgreSQL ${versions.postgres}, NATS ${versions.nats} and Node ${process.versions.node}; servers, generator and
program share them. Every write is synced to disk before it is answered, in PostgreSQL and in JetStream.${wasBusy ? `\n${busySentence}` : ''}

## Figures

| measure | a second | anchor | ratio | goal | p50 ms | p99 ms | CPU ms each | |
|---|---|---|---|---|---|---|---|---|
${lines.map(rowOf).join('\n')}

![Ratios](performance/ratios.svg)

The anchors:

- **accept over HTTP, lifecycle**: pgbench, prepared, ${pgbenchClients} clients, one transaction each with the rows that an accept
  writes (verification, idempotency key, ledger entry, the number's limits) and the update of the balance; nothing is evaluated. The
  lifecycle does three such steps: accept, claim, end.
- **accept without HTTP**: pgbench calling our batch function with batches of ${batchSize}, as many as ours held on average, over
  one connection as ours do. What is left is hashing, sealing and waiting for company.
- **getInfo**: Fastify with the same statement over \`pg\`, one for each request, and nothing else: no key is checked, nothing is
  decrypted, batched, logged or counted. Beside it, \`node:http\` with a constant of the same length.
- **dispatch**: JetStream alone, one atomic batch of ${itemsMax} after another: as large as ours get.
- **half of the peak, twice the peak**: the peak itself, ${Math.round(peakPerSecond)} a second.
- **two databases**: the same over one. Both are on one server here and share its processors and its disk, so this shows what
  limits of numbers in another database than the account cost, and not what a second machine gives.

Throughput is what ${inFlightMax} clients get who ask again as soon as they are answered; that is as many as one process has under
way at most, so that a batch is prepared while one is in the database and one is dispatched. pgbench loads like that with
${pgbenchClients}: with more it gets slower, and on one account with 32 it does half as much again. Latencies come from an open loop:
requests are due at random moments (Poisson) at half of that throughput, whatever became of the earlier ones, and count from
the moment they were due, so that no waiting is left out. In each of three rounds every anchor is followed by
ours; the ratio is the middle one of the rounds, and so is the p99 at half of the peak. Connections are there before the load
comes, as those of clients who keep theirs: Node takes up one new connection in a turn of its loop, so under overload those
who connect anew wait for seconds, and a proxy that keeps its connections to us is the cure.

## Under load

![Latency](performance/latency.svg)

![Overload](performance/overload.svg)

What would only wait is refused before it has cost anything: code 5, HTTP 503, with Retry-After, nothing charged. At twice
the peak ${twice.refused} were refused like that, the slowest hundredth after ${short(twice.refused_p99_ms ?? 0)} ms; ${twice.failed} had no response within five seconds, a reset
or an response of another form.

## What limits it

By the profiles of the processes (\`--cpu-prof\`) and of the functions, in the order of their weight:

- **The api is one thread**, and what it does at an accept over HTTP takes it about three times as long as the database's part
  takes PostgreSQL: so the hot account, where pgbench waits for a lock and we do not, is bound by it, and a second process is
  what helps (requests of one key should meet in one of them). Half of it is the edge: Fastify, the writes to three sockets,
  the key, one line of the log, one observation of a histogram. Of the rest a fifth is sealing, an eighth four HMACs, a tenth
  what libphonenumber knows of the number, and nothing else stands out.
- **Half of the peak is four fifths of the thread**: requests that come at random moments meet in batches of a few, and each
  then costs twice as much of the api as in a full one. What is left of the slowest hundredth are pauses: the collector of
  garbage takes 15 ms once a second (an accept leaves 68 kB behind, in small pieces from everywhere) and now and then 50 to 200,
  in which PostgreSQL has one processor less, too. A larger or a smaller nursery changed nothing that this machine could tell.
- **Accept without HTTP**: the batch that waits leaves before those of the last one go on, so hashing and sealing the next
  requests costs no time of the database's. With fewer clients than two batches hold, the two work by turns again.
- **getInfo** spends nine tenths of its time in the api, and its profile is flat: a sixth is writing the response and the
  question, a tenth reading what PostgreSQL says, a tenth opening what was sealed, a tenth the line of the log, a twentieth the
  key's hash, everything else below two hundredths each. \`node:http\` with a constant does none of it but the write, and bare
  Fastify with a constant takes half as long again as it; the edge, with an action that answers a constant, takes three times as
  long. Kept derived keys, hooks that call back, batches that leave at the end of a turn and a named statement took it from
  0.24 to 0.15 ms.
- **A call of \`accept_calls\` has a price of its own**, about what a dozen of its requests cost: half a dozen statements begin
  and end, and the rules of each table are read anew, whatever they carry. So small batches are dear. Over HTTP a batch holds
  fewer than without, because a part of the clients always waits for the dispatch meanwhile.
- **A batch costs JetStream** about as much as thirty messages of their own, however few it holds; so fewer than twenty-four go
  as messages of their own, and a dispatch that meets nobody takes about a millisecond.
- **Two databases**: where the limits of a number are in another database than the account, a call is reserved there,
  accepted here and confirmed there. Only the accept travels with others; the rest is a commit each.

Tried, and left out because it gave nothing: waiting two or five milliseconds for company, fewer columns in a look, two batches
side by side (a third more of PostgreSQL's processors, and nothing more went through), batches of half and of twice the size.

## What one verification costs

![Cost](performance/cost.svg)

| | |
|---|---|
| api: accept over HTTP, with its share of the dispatch | ${ms(costs.apiMs)} |
| PostgreSQL: accept, claim and end | ${ms(costs.postgresMs)} |
| NATS: one message, synced | ${ms(costs.natsMs)} |
| Asterisk: one flash call (\`npm run verify:calls\`) | ${ms(asteriskMs)} |
| write-ahead log | ${kilobytes(costs.walBytes)} |
| stored, with indexes, until its day is dropped | ${kilobytes(costs.storedBytes)} |

From this, with processors half busy and Asterisk at ${asteriskPerSecond} calls a second a node:

| verifications/s | Asterisk nodes | api processes | PostgreSQL processors | NATS processors | stored a day | log a day |
|---|---|---|---|---|---|---|
${rates.map((rate) => nodesRow(rate, costs)).join('\n')}

Above one machine's worth of PostgreSQL, accounts go to several databases by their slot; no transaction crosses them.
`
}

function rowOf(line: Line): string {
  const { measure, per_s, anchor_per_s, ratio, goal, goal_p99_ms, p50_ms, p99_ms, cpu_ms_each, failed } = line
  const isMet = failed === 0 && (goal_p99_ms === undefined ? goal === null || ratio >= goal : p99_ms <= goal_p99_ms)
  const bar = goal_p99_ms === undefined ? (goal === null ? '' : `≥ ${goal}`) : `p99 ≤ ${goal_p99_ms} ms`
  const decision = bar === '' ? '' : isMet ? 'reached' : '**not reached**'
  const cells = [measure, per_s, anchor_per_s].map((cell) =>
    typeof cell === 'number' ? String(Math.round(cell)) : cell,
  )
  return `| ${[...cells, short(ratio), bar, short(p50_ms), short(p99_ms), short(cpu_ms_each), decision].join(' | ')} |`
}

function nodesRow(rate: number, { apiMs, postgresMs, natsMs, walBytes, storedBytes }: Costs): string {
  const processors = (each: number) => Math.max(1, Math.ceil((rate * each) / 1000 / busyMax))
  const day = (bytes: number) => `${short((rate * 86_400 * bytes) / 1e9)} GB`
  const nodes = Math.ceil(rate / asteriskPerSecond)
  return `| ${[rate, nodes, ...[apiMs, postgresMs, natsMs].map(processors), day(storedBytes), day(walBytes)].join(' | ')} |`
}

function short(figure: number): string {
  return String(Number(figure.toPrecision(2)))
}

function ms(figure: number): string {
  return `${figure.toPrecision(2)} ms of processor`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toPrecision(2)} kB`
}
