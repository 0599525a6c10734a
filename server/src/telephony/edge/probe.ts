// The signalling edge and its machine, for `ringproof doctor`. It only asks, and disturbs no call.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { EdgeMachine } from '../../domain/installation/signalling-edge.ts'
import type { Clock } from '../../process/clock.ts'
import { formatSipAddress, type SipAddress } from '../sip/hep.ts'
import { watchText } from './edge.ts'
import { kamailioVersion } from './kamailio-version.ts'
import type { EdgeKeys } from './key.ts'
import { parseReply, parseState } from './messages.ts'

const repeatMs = 500

// Resolves with the address that it writes into calls; rejects if nothing listens there, or when the signal is aborted.
export async function probeEdge(
  { host, port }: SipAddress,
  keys: EdgeKeys,
  clock: Clock,
  randomBytes: (bytes: number) => Uint8Array,
  signal: AbortSignal,
): Promise<string> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  let repeating: { readonly stop: () => void } | undefined
  try {
    const connected = once(socket, 'connect', { signal })
    socket.connect(port, host)
    await connected
    const local = socket.address()
    const name = `doctor-${Buffer.from(randomBytes(8)).toString('hex')}`
    const request = watchText(formatSipAddress({ host: local.address, port: local.port }), name)
    // A closed port is reported as an error of the next packet.
    const received = once(socket, 'message', { signal })
    socket.send(request)
    repeating = clock.every(repeatMs, () => socket.send(request))
    const [packet] = (await received) as [Buffer]
    const reply = parseReply(packet)
    if (reply?.callId !== name) throw new Error('what listens there is not an edge of Ringproof')
    const state = parseState(reply, clock.monotonicMs(), keys)
    if (state === undefined) throw new Error('it has another key: run `ringproof edge prepare` again and restart it')
    return state.contact
  } finally {
    repeating?.stop()
    socket.close()
  }
}

export async function probeEdgeMachine(): Promise<EdgeMachine> {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  // Hidden in a container, and from a unit of systemd with ProcSubset=pid.
  const limit = await readFile('/proc/sys/net/core/rmem_max', 'utf8').catch(() => undefined)
  return {
    version: await kamailioVersion(),
    addresses: interfaces.map(({ address }) => address),
    receiveBufferBytesMax: limit === undefined ? undefined : Number(limit),
  }
}
