// A private Asterisk and carrier for a test file, from the programs of the stack: they may be killed, and handle only
// calls of this file.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { carrierScenario } from '../../../scripts/stack/carrier/scenario.ts'
import { askAri, asteriskCommand, localAsteriskConfig } from '../../../scripts/stack/parts/asterisk.ts'
import { askCarrier, carrierCommand } from '../../../scripts/stack/parts/carrier.ts'
import { freePort } from '../../../scripts/stack/ports.ts'
import type { AsteriskConfig } from '../../../server/src/telephony/asterisk/config.ts'
import { renderAsteriskConfig } from '../../../server/src/telephony/asterisk/config.ts'
import { edgeKeys } from '../../../server/src/telephony/edge/key.ts'
import { hepKey } from '../../../server/src/telephony/sip/hep.ts'
import { atEnd } from '../at-end.ts'
import { pollUntilResolved } from '../poll.ts'
import type { Environment } from '../process/cli.ts'
import { fileDirectory } from '../temporary-directory.ts'
import { type TestEdge, testEdge } from './edge.ts'

export type TestAsterisk = {
  readonly site: AsteriskConfig
  // With --switch=edge: flash calls go over it, and it dies and starts with Asterisk.
  readonly edge: TestEdge | undefined
  // Where carriers send their calls.
  readonly inboundPort: number
  readonly environment: Environment
  readonly pid: () => number
  // Ends it with a signal and waits until it is gone.
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  readonly start: () => Promise<void>
}

export type TestCarrier = {
  readonly address: string
  // Every SIP message received and sent so far.
  readonly messages: () => readonly string[]
  // When the first INVITE to each number was received, by the wall clock.
  readonly receivedAtMs: () => ReadonlyMap<string, number>
}

const startMs = 20_000
const isOverEdge = process.env['RINGPROOF_TEST_SWITCH'] === 'edge'

type Changes = {
  // Without it, as --switch says.
  readonly hasEdge?: boolean
  readonly site?: Partial<AsteriskConfig>
  // Applied to the rendered configuration before every start.
  readonly rewrite?: (directory: string) => void
}

export async function testAsterisk({
  hasEdge = isOverEdge,
  site: changes,
  rewrite,
}: Changes = {}): Promise<TestAsterisk> {
  const [ariPort, sipPort, sipTlsPort, hepPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const ariPassword = randomBytes(16).toString('hex')
  const node = `node-${randomBytes(3).toString('hex')}`
  const place = { directory: fileDirectory(), node, ariPort, sipPort, sipTlsPort, hepPort, ariPassword }
  const site = { ...localAsteriskConfig(place), ...changes }
  const start = async () => {
    const configPath = renderAsteriskConfig(site)
    rewrite?.(site.directory)
    return runAsterisk(configPath, ariPort, ariPassword)
  }
  let server = await start()
  const edge = hasEdge
    ? await testEdge({
        hepPort,
        hepKey: hepKey(ariPassword, 'edge'),
        keys: edgeKeys(ariPassword),
        sipHost: site.sipHost,
      })
    : undefined
  const kill = async (signal: 'SIGTERM' | 'SIGKILL') => {
    await Promise.all([server.kill(signal), edge?.kill(signal)])
  }
  atEnd(() => kill('SIGKILL'))
  return {
    site,
    edge,
    inboundPort: edge?.site.sipPort ?? sipPort,
    environment: {
      RINGPROOF_SWITCH: 'asterisk',
      RINGPROOF_ARI_URL: `http://127.0.0.1:${ariPort}`,
      RINGPROOF_ARI_USER: site.ariUser,
      RINGPROOF_ARI_PASSWORD: ariPassword,
      RINGPROOF_NODE: node,
      RINGPROOF_HEP_PORT: String(hepPort),
      RINGPROOF_SIP_TRANSPORTS: site.sipTransports.join(','),
      ...(edge ? { RINGPROOF_EDGE_URL: `udp://127.0.0.1:${edge.site.insidePort}` } : {}),
    },
    pid: () => server.pid,
    kill,
    start: async () => {
      ;[server] = await Promise.all([start(), edge?.start()])
    },
  }
}

// An Asterisk with an existing configuration.
export function runAsterisk(configPath: string, ariPort: number, ariPassword: string) {
  return runAsteriskUntil(configPath, () => askAri(ariPort, ariPassword))
}

export async function runAsteriskUntil(configPath: string, ask: () => Promise<unknown>) {
  const child = await run(asteriskCommand(configPath), ask)
  const kill = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return { pid: child.pid ?? 0, kill }
}

// `quiet` keeps no messages: for load tests.
export async function testCarrier(
  scenario = carrierScenario(),
  kind: 'udp' | 'tcp' | 'quiet' = 'udp',
): Promise<TestCarrier> {
  const directory = fileDirectory()
  const port = await freePort()
  const script = join(directory, 'scenario.xml')
  const kept = join(directory, 'messages.log')
  writeFileSync(script, scenario)
  writeFileSync(kept, '')
  const way = kind === 'tcp' ? ['-t', 't1'] : []
  const keeping = kind === 'quiet' ? [] : ['-trace_msg', '-message_file', kept, '-message_overwrite', 'true']
  const command = carrierCommand(script, port, ...way, ...keeping)
  const child = await run(command, () => (kind === 'tcp' ? Promise.resolve() : askCarrier(port)), directory)
  atEnd(async () => {
    const gone = once(child, 'exit')
    if (child.kill('SIGKILL')) await gone
  })
  const messages = () => readFileSync(kept, 'utf8').split(/^-{10,}.*\n.*\n\n/m)
  return {
    address: `127.0.0.1:${port}`,
    messages: () => messages().slice(1),
    receivedAtMs: () => {
      // The timestamp of a message is in the line before it.
      const invites = readFileSync(kept, 'utf8').matchAll(
        /^-{10,} (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d\.\d+).*\n.*received.*\n\nINVITE sip:(\d+)@/gm,
      )
      const moments = [...invites].map(
        ([, day = '', time = '', to = '']) => [to, Date.parse(`${day}T${time.slice(0, 12)}`)] as const,
      )
      return new Map(moments.toReversed())
    },
  }
}

// Starts a server and waits until it responds.
async function run(command: readonly string[], ask: () => Promise<unknown>, cwd = '/'): Promise<ChildProcess> {
  const [program = '', ...args] = command
  // No core dump: it would contain the numbers of every call.
  const child = spawn('bash', ['-c', 'ulimit -c 0; exec "$@"', 'bash', program, ...args], { stdio: 'ignore', cwd })
  const isEnded = () => child.exitCode !== null
  try {
    await pollUntilResolved(`${program} to answer`, async () => (isEnded() ? undefined : ask()), { timeoutMs: startMs })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  if (isEnded()) throw new Error(`${program} ended with ${child.exitCode}`)
  return child
}
