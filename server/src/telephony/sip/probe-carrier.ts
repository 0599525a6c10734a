// Why a carrier does not answer over TCP or TLS: Asterisk writes it only into its log. A connection is opened and closed, nothing is sent.

import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import type { ConnectionFault } from '../../domain/trunks/trunk-health.ts'
import type { Clock } from '../../process/clock.ts'
import { tlsTrust } from './tls.ts'

const timeoutMs = 2_000

// Undefined if nothing is wrong with the connection itself, or nothing can be said: UDP has none.
export async function probeCarrier(
  { address, transport }: Pick<Trunk, 'address' | 'transport'>,
  caFile: string | undefined,
  clock: Clock,
): Promise<ConnectionFault | undefined> {
  const [, bracketed = '', port = transport === 'tls' ? '5061' : '5060'] = /^(.*?)(?::(\d+))?$/.exec(address) ?? []
  const host = bracketed.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) === 0 && !(await lookup(host).catch(() => undefined))) return 'host-unknown'
  if (transport === 'udp') return undefined
  const name = isIP(host) === 0 ? { servername: host } : {}
  const socket =
    transport === 'tcp'
      ? connectTcp(Number(port), host)
      : connectTls({ port: Number(port), host, ...name, ...tlsTrust(caFile) })
  return outcomeOf(socket, transport === 'tcp' ? 'connect' : 'secureConnect', clock)
}

function outcomeOf(socket: Socket, connected: string, clock: Clock): Promise<ConnectionFault | undefined> {
  return new Promise((resolve) => {
    const timer = clock.after(timeoutMs, () => end(undefined))
    const end = (fault: ConnectionFault | undefined) => {
      timer.stop()
      socket.destroy()
      resolve(fault)
    }
    socket.once(connected, () => end(undefined))
    socket.once('error', (error: NodeJS.ErrnoException) => end(faultOf(error.code ?? '')))
  })
}

// Node names what is wrong with a certificate, OpenSSL what is wrong with the handshake.
function faultOf(code: string): ConnectionFault | undefined {
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'port-closed'
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER/.test(code) ? 'certificate' : undefined
}
