// The carrier behind the stack's Asterisk: sipp with the scripted scenarios.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { carrierScenario } from '../carrier/scenario.ts'
import { installPackage, refreshPackageLists } from '../debian.ts'
import { run } from '../process.ts'
import { stackDirectory } from '../state.ts'
import type { Part } from './part.ts'

export const carrier: Part = {
  name: 'carrier',
  title: 'Carrier (sipp)',
  stopSignal: 'SIGTERM',
  install,
  prepare: async ({ ports }) => {
    await mkdir(directory, { recursive: true })
    const scenario = join(directory, 'scenario.xml')
    await writeFile(scenario, carrierScenario())
    return carrierCommand(scenario, ports.carrier)
  },
  probe: async ({ ports }) => {
    await askCarrier(ports.carrier)
    return await versionOf()
  },
  environment: () => [],
}

const directory = join(stackDirectory, 'carrier')
// sipp, and a speech synthesiser for placeholder prompts.
const debianPackages = ['sip-tester', 'espeak-ng'] as const
const askTimeoutMs = 300

async function install(): Promise<string> {
  const present = await Promise.all([versionOf(), run(['espeak-ng', '--version'])]).catch(() => undefined)
  if (present !== undefined) return `${present[0]} is there`
  if (process.getuid?.() !== 0) throw new Error(`install Debian's packages ${debianPackages.join(' and ')}`)
  await refreshPackageLists()
  for (const name of debianPackages) await installPackage(name)
  return `${await versionOf()} from Debian`
}

/** The command line that runs a scenario on a loopback port, with its screen output reduced to a minimum. */
export function carrierCommand(scenario: string, port: number, ...more: string[]): string[] {
  return ['sipp', '-sf', scenario, '-i', '127.0.0.1', '-p', String(port), '-nostdin', '-f', '100000', ...more]
}

/** Sends the carrier an OPTIONS request, as Asterisk does. */
export async function askCarrier(port: number, host = '127.0.0.1'): Promise<void> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  try {
    socket.bind(0, host)
    await once(socket, 'listening')
    const place = isIPv6(host) ? `[${host}]` : host
    const address = `${place}:${socket.address().port}`
    const lines = [
      `OPTIONS sip:${place}:${port} SIP/2.0`,
      `Via: SIP/2.0/UDP ${address};branch=z9hG4bK${socket.address().port}`,
      `From: <sip:stack@${address}>;tag=stack`,
      `To: <sip:${place}:${port}>`,
      `Call-ID: stack-${process.pid}-${performance.now()}@${address}`,
      'CSeq: 1 OPTIONS',
      'Max-Forwards: 1',
      'Content-Length: 0',
    ]
    socket.send(`${lines.join('\r\n')}\r\n\r\n`, port, host)
    const [response] = (await once(socket, 'message', { signal: AbortSignal.timeout(askTimeoutMs) })) as [Buffer]
    if (!response.toString().startsWith('SIP/2.0 200')) throw new Error('the carrier did not reply with 200 OK')
  } finally {
    socket.close()
  }
}

// sipp exits with an error after printing its version.
async function versionOf(): Promise<string> {
  const response = await run(['sh', '-c', 'sipp -v || true'])
  const version = /SIPp v(\d+\.\d+\.\d+)/.exec(response)?.[1]
  if (version === undefined) throw new Error('sipp printed no version')
  return version
}
