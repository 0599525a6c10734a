// docs/operations/performance.md and its plots. The text is here; every figure comes from the run.

import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, totalmem } from 'node:os'
import { itemsMax } from '../server/src/db/core/micro-batch.ts'
import { inFlightMax } from '../server/src/http/concurrency-limit.ts'
import { pgbenchClients } from './anchors.ts'
import type { Costs, Figures, Line } from './measures.ts'
import { curves, parts, ratios } from './plot.ts'
import { stepsSection } from './steps-page.ts'

const docs = new URL('../docs/operations/', import.meta.url)

// Read before the run starts, because the run itself is load.
const wasBusy = (loadavg()[0] ?? 0) > availableParallelism() / 2
const busySentence = 'The machine was busy with other work during this run, which makes the figures worse.'

// CPU time of Asterisk for one flash call, measured by `npm run verify -- calls`.
const asteriskMs = 3
// Calls per second of one Asterisk: the default of RINGPROOF_NODE_CALLS_PER_SECOND.
const asteriskPerSecond = 100
// Above this CPU utilisation latency grows.
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
  const offeredAxis = { title: 'offered load, % of the peak', ticks: [0, 25, 50, 75, 100, 125, 150, 175, 200] }
  return {
    ratios: ratios(
      'Ringproof compared with its anchor (ratio)',
      lines
        .filter(({ goal_p99_ms }) => goal_p99_ms === undefined)
        .map(({ measure, ratio, goal }) => ({ name: measure, figure: ratio, goal })),
    ),
    latency: curves(
      'Latency of an accept over HTTP, from the time it was due',
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
      'Throughput and load shedding above the peak',
      offeredAxis,
      { title: 'requests per second, % of the peak', ticks: [0, 25, 50, 75, 100, 125] },
      [
        { name: 'accepted', colour: 'green', points: offered(({ perSecond }) => percent(perSecond)) },
        {
          name: 'shed, code 5',
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
    cost: parts('CPU time of one verification', 'ms', [
      { name: 'Asterisk, a flash call', figure: asteriskMs, colour: 'grey' },
      { name: 'API', figure: costs.apiMs, colour: 'blue' },
      { name: 'PostgreSQL', figure: costs.postgresMs, colour: 'green' },
      { name: 'NATS', figure: costs.natsMs, colour: 'orange' },
    ]),
  }
}

function pageOf(figures: Figures): string {
  const { lines, costs, batchSize, peakPerSecond, versions } = figures
  const twice = lines.at(-1)
  if (!twice) throw new Error('the run has no figures')
  return `# Performance

How fast Ringproof is compared with the servers it stands on. \`npm run bench\` measures everything here in one run on the
private stack and writes this page and its plots. Absolute figures depend on the machine; the ratios are the targets.

Measured on ${availableParallelism()} CPU cores and ${Math.round(totalmem() / 2 ** 30)} GB, with PostgreSQL ${versions.postgres}, NATS ${versions.nats} and Node ${process.versions.node}. Servers, load generator and
Ringproof share the machine. Every write is synced to disk before it is acknowledged, in PostgreSQL and in JetStream.${wasBusy ? `\n${busySentence}` : ''}

## Figures

| measure | per second | anchor | ratio | goal | p50 ms | p99 ms | CPU ms each | |
|---|---|---|---|---|---|---|---|---|
${lines.map(rowOf).join('\n')}

![Ratios](performance/ratios.svg)

The anchors:

- **accept over HTTP, lifecycle**: pgbench with prepared statements and ${pgbenchClients} clients. Each transaction writes the rows of an
  accept (verification, idempotency key, ledger entry, number limits) and updates the balance; no rule is evaluated. The
  lifecycle makes three such steps: accept, claim, end.
- **accept without HTTP**: pgbench calls our batch function over one connection with batches of ${batchSize}, our average size. The
  difference is hashing, sealing and batching.
- **getInfo**: Fastify with the same statement over \`pg\`, one for each request, and nothing else: no key is checked, nothing is
  decrypted, batched, logged or counted. Beside it, \`node:http\` with a constant of the same length.
- **dispatch**: JetStream alone, one atomic batch of ${itemsMax} after another, which is our largest batch.
- **half of the peak, twice the peak**: the peak itself, ${Math.round(peakPerSecond)} per second.
- **two databases**: the same load on one database. Both databases are on one server and share its cores and its disk. The row
  shows the cost of number limits in another database than the account, not the gain of a second machine.

Throughput comes from a closed loop: ${inFlightMax} clients, on one account half as many, send the next request as soon as they have
a response. One process has at most that many requests in flight, so a batch is prepared while another is in the database and a third is dispatched.
pgbench runs a closed loop with ${pgbenchClients} clients; more make it slower, and on one account 32 are 50 % faster.

Latency comes from an open loop at half of that throughput. Requests are due at random times (Poisson), whether or not
earlier ones have finished, and count from the time they were due, so queueing is included. In each of three rounds every
anchor is followed by our measurement. The ratio is the median of the rounds; the p99 at half of the peak is that of five.

Connections are open before the load starts, like those of clients with keep-alive. Node accepts one new connection per turn
of its event loop, so under overload new connections wait for seconds. Put a proxy with keep-alive in front.

## Under load

![Latency](performance/latency.svg)

![Overload](performance/overload.svg)

Excess requests are shed at once: HTTP 503, code 5, \`Retry-After\`, nothing charged. At twice the peak ${twice.refused} requests were
shed, with a p99 of ${short(twice.refused_p99_ms ?? 0)} ms. ${twice.failed} requests failed: no response within five seconds, a connection reset, or a response in
another form.

## Bottlenecks

From CPU profiles of the processes (\`--cpu-prof\`) and of the SQL functions, largest first:

- **The API is one thread.** An accept over HTTP takes it about three times as long as it takes PostgreSQL. On the hot
  account pgbench waits for a row lock and we do not, so the API is the limit there; a second API process helps
  (\`RINGPROOF_HTTP_SHARED\` lets several listen on one port), best with all requests of one key in one process. Half of the time is the HTTP edge: Fastify, writes to three sockets, the key, one log
  line, one histogram. Of the rest, a fifth is sealing, an eighth is four HMACs and a tenth is libphonenumber.
- **At half of the peak both cores are nearly busy**, the load generator included. Requests at random times form batches of a
  few, and each costs twice the CPU of a request in a full batch. At a quarter of the peak the p99 is below 50 ms. What remains
  are GC pauses: 15 ms about once a second (an accept allocates 60 kB in small objects), sometimes 50 to 200 ms, and the
  collector takes a core from PostgreSQL meanwhile. A larger or smaller young generation made no measurable difference.
- **Accept without HTTP**: the next batch is sent before the requests of the last one continue, so hashing and sealing
  overlap with the database. With fewer clients than two batches hold, they take turns again.
- **getInfo** spends 90 % of its time in the API, and the profile is flat: a sixth is writing to the sockets, a tenth reading
  the rows, a tenth decryption, a tenth the log line, a twentieth hashing the key, everything else below 2 %. Of this,
  \`node:http\` with a constant does only the write. Fastify with a constant takes 1.5 times as long, and our edge with an action
  that returns a constant three times. Cached derived keys, callback hooks, batches sent at the end of a turn and a named
  statement took getInfo from 0.24 to 0.15 ms.
- **Each call of \`accept_calls\` has a fixed cost**, about that of a dozen requests: it starts and ends half a dozen statements
  and reads the rules of every table. Small batches are therefore expensive. Over HTTP batches are smaller than
  without, because some of the clients are always waiting for the dispatch.
- **An atomic batch costs JetStream** as much as thirty single messages, whatever its size. Fewer than 24 orders are therefore
  published one by one, and a single dispatch takes about a millisecond.
- **Two databases**: where the limits of a number are in another database than the account, a call is reserved there and
  accepted here: two batches instead of one, each about half as large. \`npm run bench -- shards\` compares one, two and three.

Tried without gain: waiting two or five milliseconds to fill a batch, fewer columns in a read, two batches at once (a third
more PostgreSQL CPU for the same throughput), batches of half and of twice the size.

## Cost of one verification

![Cost](performance/cost.svg)

| | |
|---|---|
| API: accept over HTTP, with its share of the dispatch | ${ms(costs.apiMs)} |
| PostgreSQL: accept, claim and end | ${ms(costs.postgresMs)} |
| NATS: one message, synced | ${ms(costs.natsMs)} |
| Asterisk: one flash call (\`npm run verify -- calls\`) | ${ms(asteriskMs)} |
| write-ahead log | ${kilobytes(costs.walBytes)} |
| stored, with indexes, until its partition is dropped | ${kilobytes(costs.storedBytes)} |

What this means for capacity when batches are full, with CPU at 50 % and Asterisk at ${asteriskPerSecond} calls per second and node:

| verifications/s | Asterisk nodes | API processes | PostgreSQL cores | NATS cores | stored per day | WAL per day |
|---|---|---|---|---|---|---|
${rates.map((rate) => nodesRow(rate, costs)).join('\n')}

When one PostgreSQL server is not enough, accounts are spread over several databases by their slot. No transaction spans two.

${stepsSection}`
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
  const cores = (each: number) => Math.max(1, Math.ceil((rate * each) / 1000 / busyMax))
  const day = (bytes: number) => `${short((rate * 86_400 * bytes) / 1e9)} GB`
  const nodes = Math.ceil(rate / asteriskPerSecond)
  return `| ${[rate, nodes, ...[apiMs, postgresMs, natsMs].map(cores), day(storedBytes), day(walBytes)].join(' | ')} |`
}

function short(figure: number): string {
  return String(Number(figure.toPrecision(2)))
}

function ms(figure: number): string {
  return `${figure.toPrecision(2)} ms of CPU`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toPrecision(2)} kB`
}
