// An Asterisk and a carrier of a test file's own, from what the private stack has installed: they may be killed, and
// nobody else's calls are among theirs.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AsteriskSite } from '../../server/src/telephony/asterisk-site.ts'
import { layOutSite } from '../../server/src/telephony/asterisk-site.ts'
import { carrierScenario } from '../../tools/stack/carrier/scenario.ts'
import { askAri, asteriskCommand, localSite } from '../../tools/stack/parts/asterisk.ts'
import { askCarrier, carrierCommand } from '../../tools/stack/parts/carrier.ts'
import { atEnd } from './at-end.ts'
import type { Environment } from './operator.ts'
import { freePort } from './served.ts'
import { fileDirectory } from './temporary-directory.ts'

export type TestAsterisk = {
  readonly site: AsteriskSite
  readonly environment: Environment
  readonly pid: () => number
  // Ends it with a signal and waits until it is gone.
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  readonly start: () => Promise<void>
}

export type TestCarrier = {
  readonly address: string
  // Every SIP message it has received and sent so far.
  readonly messages: () => readonly string[]
}

const startMs = 20_000
const pollMs = 30

type Changes = {
  readonly site?: Partial<AsteriskSite>
  // Of what was rendered, before every start.
  readonly rewrite?: (directory: string) => void
}

export async function testAsterisk({ site: changes, rewrite }: Changes = {}): Promise<TestAsterisk> {
  const [ariPort, sipPort, sipTlsPort] = await Promise.all([freePort(), freePort(), freePort()])
  const ariPassword = randomBytes(16).toString('hex')
  const node = `node-${randomBytes(3).toString('hex')}`
  const place = { directory: fileDirectory(), node, ariPort, sipPort, sipTlsPort, ariPassword }
  const site = { ...localSite(place), ...changes }
  const start = async () => {
    const configPath = layOutSite(site)
    rewrite?.(site.directory)
    return run(asteriskCommand(configPath), () => askAri(ariPort, ariPassword))
  }
  let child = await start()
  const kill = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  atEnd(() => kill('SIGKILL'))
  return {
    site,
    environment: {
      RINGPROOF_SWITCH: 'asterisk',
      RINGPROOF_ARI_URL: `http://127.0.0.1:${ariPort}`,
      RINGPROOF_ARI_USER: site.ariUser,
      RINGPROOF_ARI_PASSWORD: ariPassword,
      RINGPROOF_NODE: node,
    },
    pid: () => child.pid ?? 0,
    kill,
    start: async () => {
      child = await start()
    },
  }
}

export async function testCarrier(
  scenario = carrierScenario(),
  transport: 'udp' | 'tcp' = 'udp',
): Promise<TestCarrier> {
  const directory = fileDirectory()
  const port = await freePort()
  const script = join(directory, 'scenario.xml')
  const heard = join(directory, 'messages.log')
  writeFileSync(script, scenario)
  writeFileSync(heard, '')
  const way = transport === 'udp' ? [] : ['-t', 't1']
  const command = carrierCommand(
    script,
    port,
    ...way,
    '-trace_msg',
    '-message_file',
    heard,
    '-message_overwrite',
    'true',
  )
  const child = await run(command, () => (transport === 'udp' ? askCarrier(port) : Promise.resolve()), directory)
  atEnd(async () => {
    const gone = once(child, 'exit')
    if (child.kill('SIGKILL')) await gone
  })
  return {
    address: `127.0.0.1:${port}`,
    messages: () =>
      readFileSync(heard, 'utf8')
        .split(/^-{10,}.*\n.*\n\n/m)
        .slice(1),
  }
}

// Starts a server and waits until it answers.
async function run(command: readonly string[], ask: () => Promise<unknown>, cwd = '/'): Promise<ChildProcess> {
  const [program = '', ...args] = command
  // No core: it would hold the numbers of every call.
  const child = spawn('bash', ['-c', 'ulimit -c 0; exec "$@"', 'bash', program, ...args], { stdio: 'ignore', cwd })
  const deadlineMs = performance.now() + startMs
  for (;;) {
    try {
      await ask()
      return child
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`, { cause: error })
      if (performance.now() > deadlineMs) {
        child.kill('SIGKILL')
        throw new Error(`${program} gave no answer`, { cause: error })
      }
      await sleep(pollMs)
    }
  }
}
