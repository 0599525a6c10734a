// A SIP peer on loopback at an address that belongs to no trunk.

import { spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

// Not the address of the tests' carrier.
export const strangerAddress = '127.0.0.66'

export type Stranger = {
  readonly send: (bytes: string | Uint8Array, port: number) => void
  readonly received: () => readonly string[]
  readonly port: number
  readonly close: () => void
}

export async function createStranger(address = strangerAddress): Promise<Stranger> {
  const socket: Socket = createSocket('udp4')
  const received: string[] = []
  socket.on('message', (message) => received.push(message.toString('latin1')))
  socket.bind(0, address)
  await once(socket, 'listening')
  return {
    send: (bytes, port) => socket.send(bytes, port, '127.0.0.1'),
    received: () => received,
    port: socket.address().port,
    close: () => socket.close(),
  }
}

let calls = 0

// A request with its own transaction and call.
export function sipRequest(verb: string, to: string, from: { address: string; port: number }, more = ''): string {
  const id = `${process.pid}${calls++}`
  return [
    `${verb} sip:${to}@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP ${from.address}:${from.port};branch=z9hG4bK${id}`,
    `From: <sip:79070000001@${from.address}>;tag=${id}`,
    `To: <sip:${to}@127.0.0.1>`,
    `Call-ID: ${id}@${from.address}`,
    `CSeq: 1 ${verb}`,
    `Contact: <sip:79070000001@${from.address}:${from.port}>`,
    'Max-Forwards: 70',
    `${more}Content-Length: 0`,
    '',
    '',
  ].join('\r\n')
}

// What a sipvicious program finds at a port of 127.0.0.1 in that time. It always sends from 127.0.0.1.
export async function sipvicious(
  program: 'svmap' | 'svwar' | 'svcrack',
  port: number,
  args: readonly string[],
  timeoutMs = 20_000,
): Promise<string> {
  const child = spawn(program, [...args, '-p', String(port), '127.0.0.1'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await once(child, 'close')
  clearTimeout(timer)
  return output
}
