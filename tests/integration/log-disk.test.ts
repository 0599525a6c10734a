// The disk of the log is full, or the pipe of the log has no reader: the server keeps serving, drops and counts lines,
// and stops on SIGTERM.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { Agent, get } from 'node:http'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/stack/ports.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { install, makeService } from '../support/process/server.ts'

const program = fileURLToPath(new URL('../../server/bin/ringproof.js', import.meta.url))
const installation = await install()
const { bearer } = await makeService(installation)
const agent = new Agent({ keepAlive: true, maxSockets: 32 })
atEnd(async () => agent.destroy())

const answerMsMax = 10_000
const stopMsMax = 15_000
// More than pipe and buffer hold, at 150 bytes of log per request.
const requestsMax = 40_000

test('with a full disk every request is answered, dropped lines are counted, and SIGTERM ends the process', async (t) => {
  const full = openSync('/dev/full', 'w')
  const server = await serveInto(t, full)
  closeSync(full)
  assert.deepEqual(await statusesOf(server, 100), [200])
  // The last lines may still be on their way to the disk.
  await poll(
    '100 dropped lines',
    () => droppedBy(server),
    (count) => count >= 100,
  )
  assert.equal(await stopped(server), 0)
})

test('a pipe without a reader fills a bounded buffer; once it is read again, one line reports the loss', async (t) => {
  const server = await serveInto(t, 'pipe')
  await fillPipe(server)
  assert.deepEqual(await statusesOf(server, 100), [200])
  const dropped = await droppedBy(server)
  assert(dropped >= 100, String(dropped))

  const reader = server.process.stdout as Readable
  reader.setEncoding('utf8')
  let text = ''
  reader.on('data', (chunk: string) => (text += chunk))
  while (!text.includes('"log lines dropped"')) await once(reader, 'data')
  assert.equal(await stopped(server), 0)
  if (!reader.readableEnded) await once(reader, 'end')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; lines?: number })
  const reported = lines.reduce(
    (sum, { msg, lines: count }) => sum + (msg === 'log lines dropped' ? (count ?? 0) : 0),
    0,
  )
  assert.equal(reported, dropped)
  assert.equal(lines.at(-1)?.msg, 'stopped')
})

test('SIGTERM ends a process whose log has no reader', async (t) => {
  const server = await serveInto(t, 'pipe')
  await fillPipe(server)
  assert.equal(await stopped(server), 0)
})

type Server = { readonly process: ChildProcess; readonly base: string; readonly metrics: string }

async function serveInto(t: { after: (work: () => void) => void }, output: number | 'pipe'): Promise<Server> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  const child = spawn(process.execPath, [program, 'serve', '--roles', 'api'], {
    env: {
      PATH: process.env['PATH'],
      ...installation.environment,
      RINGPROOF_HTTP_PORT: String(port),
      RINGPROOF_METRICS_PORT: String(metricsPort),
      RINGPROOF_REQUESTS_PER_SECOND: '100000',
    },
    stdio: ['ignore', output, 'ignore'],
  })
  t.after(() => child.kill('SIGKILL'))
  const server = {
    process: child,
    base: `http://127.0.0.1:${port}`,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
  }
  // Its log cannot be awaited.
  await poll('the process to be ready', async () => (await statusOf(`${server.base}/readyz`)) === 200)
  return server
}

async function fillPipe(server: Server): Promise<void> {
  for (let sent = 0; sent < requestsMax; sent += 1_000) {
    await statusesOf(server, 1_000)
    if ((await droppedBy(server)) > 0) return
  }
  throw new Error('no line was dropped: the buffer has no bound')
}

// Zero when no response came in time.
async function statusOf(url: string): Promise<number> {
  return new Promise((resolve) => {
    const request = get(url, { agent, headers: bearer, timeout: answerMsMax }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(0))
  })
}

// Each status once.
async function statusesOf({ base }: Server, count: number): Promise<readonly number[]> {
  const statuses = await Promise.all(Array.from({ length: count }, () => statusOf(`${base}/v1.0/getBalance`)))
  return [...new Set(statuses)]
}

async function droppedBy({ metrics }: Server): Promise<number> {
  const response = await fetch(metrics, { signal: AbortSignal.timeout(answerMsMax) })
  return Number(/^ringproof_log_lines_dropped_total (\d+)$/m.exec(await response.text())?.[1] ?? Number.NaN)
}

// Its exit code.
async function stopped({ process: child }: Server): Promise<unknown> {
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(stopMsMax) })
  child.kill('SIGTERM')
  const [code] = await ended
  return code
}
