// The private stack: the real servers that development and tests run against, in `.stack/` of this clone, on loopback.
//
//   npm run stack -- up        installs what is missing and starts what is not running; up --telephony also takes
//                              Asterisk, a carrier that plays the scripted network, and a second Asterisk for virtual phones
//   npm run stack -- down      stops what `up` started; the data stays
//   npm run stack -- env       prints the server's environment: eval "$(npm run -s stack -- env)"
//   npm run stack -- status    shows what runs
//
// To delete everything: `down`, then `rm -rf .stack`.

import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withLock } from './lock.ts'
import { asterisk } from './parts/asterisk.ts'
import { carrier } from './parts/carrier.ts'
import { edge } from './parts/edge.ts'
import { nats } from './parts/nats.ts'
import type { Part } from './parts/part.ts'
import { phones } from './parts/phones.ts'
import { postgres } from './parts/postgres.ts'
import { portIsFree } from './ports.ts'
import { logPath, runningServer, startServer, stopServer } from './process.ts'
import {
  loadState,
  numberingDirectory,
  readState,
  renewPort,
  type State,
  secretsDirectory,
  stackDirectory,
} from './state.ts'

const parts: readonly Part[] = [postgres, nats]
const telephonyParts: readonly Part[] = [asterisk, edge, carrier, phones]
const allParts = [...parts, ...telephonyParts]

// Long, because PostgreSQL may have to replay its WAL after a crash.
const readyTimeoutMs = 60_000
const readyPollMs = 50

const commands = new Map([
  ['up', () => up(parts)],
  ['up --telephony', () => up(allParts)],
  ['down', down],
  ['env', env],
  ['status', status],
])

const command = commands.get(process.argv.slice(2).join(' '))
if (command === undefined) {
  process.stderr.write('Usage: npm run stack -- up [--telephony] | down | env | status\n')
  process.exitCode = 2
} else {
  try {
    await command()
  } catch (error) {
    process.stderr.write(`stack: ${sentenceOf(error)}\n`)
    process.exitCode = 1
  }
}

async function up(selected: readonly Part[]): Promise<void> {
  await mkdir(stackDirectory, { recursive: true })
  await withLock(async () => {
    const state = await loadState()
    const steps = selected.flatMap((part) => stepsOf(part, state))
    for (const [index, { title, work }] of steps.entries()) {
      process.stderr.write(`[${index + 1}/${steps.length}] ${title} ... `)
      const startedMs = performance.now()
      const outcome = await work().catch((error: unknown) => {
        process.stderr.write('failed\n')
        throw error
      })
      process.stderr.write(`${outcome} (${secondsSince(startedMs)})\n`)
    }
  })
  process.stderr.write('The stack is up. Its environment: eval "$(npm run -s stack -- env)"\n')
}

async function down(): Promise<void> {
  const stopped: Part[] = []
  // Without a state there was never an `up`, and there is no directory for the lock.
  if ((await readState()) !== undefined) {
    await withLock(async () => {
      for (const part of allParts.toReversed()) {
        const startedMs = performance.now()
        const pid = await stopServer(part.name, part.stopSignal)
        if (pid === undefined) continue
        stopped.push(part)
        process.stderr.write(`${part.title}: stopped, pid ${pid} (${secondsSince(startedMs)})\n`)
      }
    })
  }
  if (stopped.length === 0) process.stderr.write('Nothing is running.\n')
}

async function env(): Promise<void> {
  const absent = parts.filter((part) => runningServer(part.name) === undefined)
  if (absent.length > 0) {
    throw new Error(`not running: ${absent.map((part) => part.title).join(', ')}. Start it with: npm run stack -- up`)
  }
  // A state written by an older version lacks some ports.
  const state = (await readState()) ?? (await withLock(loadState))
  const hasTelephony = telephonyParts.every(({ name }) => runningServer(name) !== undefined)
  const variables = [
    ...(hasTelephony ? allParts : parts).flatMap((part) => part.environment(state)),
    ['RINGPROOF_SECRETS_DIR', secretsDirectory],
    ['RINGPROOF_SWITCH', hasTelephony ? 'asterisk' : 'fake'],
    ['RINGPROOF_HTTP_PORT', String(state.ports.http)],
    ['RINGPROOF_HTTP_ALT_PORT', String(state.ports.httpAlt)],
    ['RINGPROOF_METRICS_PORT', String(state.ports.metrics)],
    ['RINGPROOF_PUBLIC_URL', `http://127.0.0.1:${state.ports.http}`],
    ['RINGPROOF_NUMBERING_DIR', numberingDirectory],
    // Nothing here talks to the world.
    ['RINGPROOF_REGISTRY_URL', ''],
    // The webhook samples of the quickstart listen on this machine.
    ['RINGPROOF_WEBHOOK_ALLOW', '127.0.0.0/8'],
  ] as const
  for (const [name, value] of variables) {
    process.stdout.write(`export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`)
  }
}

async function status(): Promise<void> {
  const state = await readState()
  const ran = telephonyParts.filter(({ name }) => runningServer(name) !== undefined)
  for (const part of [...parts, ...ran]) {
    const server = runningServer(part.name)
    if (state === undefined || server === undefined) {
      process.stdout.write(`${part.title}: not running\n`)
      process.exitCode = 1
      continue
    }
    const place = `127.0.0.1:${state.ports[part.name]}, pid ${server.pid}, since ${server.since.toISOString()}`
    try {
      process.stdout.write(`${part.title}: ${await part.probe(state)} on ${place}\n`)
    } catch (error) {
      process.stdout.write(`${part.title}: no response on ${place}: ${sentenceOf(error)}\n`)
      process.exitCode = 1
    }
  }
}

type Step = { readonly title: string; readonly work: () => Promise<string> }

function stepsOf(part: Part, state: State): Step[] {
  const { title, install, fill } = part
  const steps: Step[] = [
    { title: `${title}: install`, work: install },
    { title: `${title}: start`, work: () => startPart(part, state) },
  ]
  if (fill !== undefined) steps.push({ title: `${title}: fill`, work: () => fill(state) })
  return steps
}

async function startPart(part: Part, state: State): Promise<string> {
  const running = runningServer(part.name)
  if (running === undefined) {
    // Another program may have taken the port while the server was down; the environment then changes, which is printed below.
    if (!(await portIsFree(state.ports[part.name]))) await renewPort(state, part.name)
    await startServer(part.name, await part.prepare(state))
  }
  const version = await untilReady(part, state)
  const server = runningServer(part.name)
  const action = running === undefined ? 'started' : 'already running'
  return `${action}, ${version} on 127.0.0.1:${state.ports[part.name]}, pid ${server?.pid}`
}

async function untilReady(part: Part, state: State): Promise<string> {
  const deadlineMs = performance.now() + readyTimeoutMs
  for (;;) {
    try {
      return await part.probe(state)
    } catch (error) {
      const died = runningServer(part.name) === undefined
      if (died || performance.now() > deadlineMs) {
        const problem = died ? 'ended while it was starting' : `gave no response in ${readyTimeoutMs / 1000} s`
        throw new Error(`${part.title} ${problem}: ${sentenceOf(error)}\n${await endOfLog(part)}`, { cause: error })
      }
      await sleep(readyPollMs)
    }
  }
}

async function endOfLog(part: Part): Promise<string> {
  const lines = (await readFile(logPath(part.name), 'utf8')).trimEnd().split('\n')
  return `The end of ${join('.stack', 'log', `${part.name}.log`)}:\n${lines.slice(-10).join('\n')}`
}

function secondsSince(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1000).toFixed(1)} s`
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
