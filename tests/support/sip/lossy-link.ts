// A link between an edge and a carrier that loses packets, each way, by a seeded sequence.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type LossyLink = { readonly address: string; readonly lost: () => number; readonly close: () => void }

export async function createLossyLink(carrier: string, share: number, random: () => number): Promise<LossyLink> {
  const [host = '', port = ''] = carrier.split(':')
  const options = { type: 'udp4', recvBufferSize: 4 * 1024 * 1024 } as const
  const [near, far] = [createSocket(options), createSocket(options)]
  let lost = 0
  let edge: { readonly port: number; readonly address: string } | undefined
  const passes = () => {
    const isLost = random() < share
    if (isLost) lost++
    return !isLost
  }
  near.on('message', (packet, from) => {
    edge = from
    if (passes()) far.send(packet, Number(port), host)
  })
  far.on('message', (packet) => {
    if (edge && passes()) near.send(packet, edge.port, edge.address)
  })
  for (const socket of [near, far]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
  }
  return {
    address: `127.0.0.1:${near.address().port}`,
    lost: () => lost,
    close: () => {
      near.close()
      far.close()
    },
  }
}
