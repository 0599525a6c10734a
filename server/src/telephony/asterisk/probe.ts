// What Asterisk runs with, for `ringproof doctor`. It only reads, and disturbs no call.

import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AsteriskFacts } from '../../domain/installation/telephony-check.ts'
import type { Transport } from '../../domain/trunks/trunk.ts'
import { neededModules } from './config.ts'
import { type AsteriskAccess, readFromAsterisk } from './http.ts'

export async function probeAsterisk(
  access: AsteriskAccess,
  sipTransports: readonly Transport[],
  signal: AbortSignal,
): Promise<AsteriskFacts> {
  const read = async <T>(path: string): Promise<T> =>
    JSON.parse(await readFromAsterisk(access, `ari/asterisk/${path}`, signal)) as T
  const [info, modules, etc, transports] = await Promise.all([
    read<{ system: { version: string } }>('info'),
    read<{ name: string; status: string }[]>('modules'),
    read<{ value: string }>('variable?variable=ASTETCDIR'),
    Promise.all(
      sipTransports.map(async (name) => {
        const fields = await read<{ attribute: string; value: string }[]>(`config/dynamic/res_pjsip/transport/${name}`)
        const valueOf = (wanted: string) => fields.find(({ attribute }) => attribute === wanted)?.value ?? ''
        // `asterisk prepare` writes the same address for signalling and media.
        return { name, announced: valueOf('external_media_address') }
      }),
    ),
  ])
  const running = new Set(modules.filter(({ status }) => status === 'Running').map(({ name }) => name))
  return {
    version: /^\d+\.\d+\.\d+/.exec(info.system.version)?.[0] ?? info.system.version,
    missingModules: neededModules().filter((name) => !running.has(name)),
    directory: dirname(etc.value),
    transports,
    rtpPorts: await readRtpPorts(etc.value),
  }
}

// ARI does not report them. The file is readable if Asterisk runs on this machine and belongs to the same user.
async function readRtpPorts(directory: string): Promise<AsteriskFacts['rtpPorts']> {
  const text = await readFile(join(directory, 'rtp.conf'), 'utf8').catch(() => '')
  const [first, last] = ['rtpstart', 'rtpend'].map((name) => new RegExp(`^${name} *= *(\\d+)`, 'm').exec(text)?.[1])
  return first === undefined || last === undefined ? undefined : { first: Number(first), last: Number(last) }
}
