// A private edge (Kamailio) for a test file: it may be killed, and handles only calls of this file.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { askCarrier } from '../../../scripts/stack/parts/carrier.ts'
import { installKamailio, type KamailioSuite, kamailioCommand } from '../../../scripts/stack/parts/edge.ts'
import { freePort } from '../../../scripts/stack/ports.ts'
import { type EdgeConfig, renderEdgeConfig } from '../../../server/src/telephony/edge/config.ts'
import { edgeKeys } from '../../../server/src/telephony/edge/key.ts'
import { atEnd } from '../at-end.ts'
import { pollUntilResolved } from '../poll.ts'
import { fileDirectory } from '../temporary-directory.ts'

// --kamailio=5.6 takes that of Debian 12.
const suite: KamailioSuite = process.env['RINGPROOF_TEST_KAMAILIO'] === '5.6' ? 'bookworm' : 'trixie'

export type TestEdge = {
  readonly site: EdgeConfig
  readonly pid: () => number
  // What it has written so far, once it listened.
  readonly output: () => string
  // Ends all its processes with a signal and waits until they are gone.
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  readonly start: () => Promise<void>
}

export async function testEdge(
  changes: Pick<EdgeConfig, 'hepPort' | 'hepKey'> & Partial<EdgeConfig>,
): Promise<TestEdge> {
  await installKamailio(suite)
  const [insidePort, sipPort] = await Promise.all([freePort(), freePort()])
  const site: EdgeConfig = {
    directory: `${fileDirectory()}/edge-${insidePort}`,
    insideHost: '127.0.0.1',
    insidePort,
    sipHost: '127.0.0.1',
    sipPort,
    sipTransports: ['udp', 'tcp'],
    publicAddress: undefined,
    pair: undefined,
    keys: edgeKeys('test'),
    ...changes,
  }
  let output = ''
  const start = async () => {
    renderEdgeConfig(site)
    const [program = '', ...args] = kamailioCommand(site.directory, suite)
    // A group of processes: killed as one, as by the machine.
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
    await pollUntilResolved('the edge to answer', () => askCarrier(sipPort, site.sipHost))
    output = ''
    return child
  }
  let child = await start()
  const kill = (signal: 'SIGTERM' | 'SIGKILL') => killGroup(child, signal)
  atEnd(() => kill('SIGKILL'))
  return {
    site,
    pid: () => child.pid ?? 0,
    output: () => output,
    kill,
    start: async () => {
      child = await start()
    },
  }
}

async function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit')
  process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
  await gone
}
