// What the network between two machines does, by nftables in the namespace of one of them: packets are dropped, connections
// are reset, or redirected to a proxy that delays them.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Host, ownAddress } from '../ha/hosts.ts'

// Undoes it.
export type Undo = () => void

type Machine = Pick<Host, 'launcher'>

// No packet to or from the port passes, and nobody is informed.
export function dropPort(machine: Machine, protocol: 'tcp' | 'udp', port: number): Undo {
  return rules(machine, [
    `chain out { type filter hook output priority 0; ${protocol} dport ${port} drop; ${protocol} sport ${port} drop; }`,
    `chain in { type filter hook input priority 0; ${protocol} sport ${port} drop; ${protocol} dport ${port} drop; }`,
  ])
}

export function resetPort(machine: Machine, port: number): Undo {
  return rules(machine, [`chain out { type filter hook output priority 0; tcp dport ${port} reject with tcp reset; }`])
}

// Of ten packets between the machine and this process one is lost, where it arrives: a packet that is dropped where it is sent
// fails at its sender.
export function losePackets(machine: Pick<Host, 'launcher' | 'address'>, port: number): Undo {
  const lost = 'numgen random mod 10 == 0 drop'
  const here = { launcher: [] }
  const undone = [
    rules(machine, [`chain in { type filter hook input priority 0; udp dport ${port} ${lost}; }`]),
    rules(here, [
      `chain in { type filter hook input priority 0; ip saddr ${machine.address} udp sport ${port} ${lost}; }`,
    ]),
  ]
  return () => undone.forEach((undo) => undo())
}

// New connections to the port of these machines go over a proxy that delays every byte in both directions; those that
// exist are reset.
export async function delayPort(
  machine: Machine,
  targets: readonly string[],
  port: number,
  delayMs: number,
): Promise<() => Promise<void>> {
  const proxies = await Promise.all(targets.map((target) => createDelay(target, port, delayMs)))
  const redirects = proxies.map(
    (proxy, index) => `ip daddr ${targets[index]} tcp dport ${port} dnat ip to ${ownAddress}:${proxy.port};`,
  )
  const undo = rules(machine, [`chain nat { type nat hook output priority -100; ${redirects.join(' ')} }`])
  closeConnections(machine, port)
  return async () => {
    undo()
    closeConnections(machine, port)
    for (const proxy of proxies) await proxy.close()
  }
}

// Programs see them as aborted.
export function closeConnections({ launcher }: Machine, port: number): void {
  const [program, ...args] = [...launcher, 'ss', '--kill', '--tcp', 'state', 'established', `( dport = :${port} )`]
  execFileSync(program, args)
}

async function createDelay(
  target: string,
  targetPort: number,
  delayMs: number,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(targetPort, target)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      // Timers of one duration fire in the order in which they were set.
      socket.on('data', (chunk) => setTimeout(() => other.write(chunk), delayMs))
      socket.on('close', () => {
        sockets.delete(socket)
        setTimeout(() => other.destroy(), delayMs)
      })
    }
  }).listen(0, ownAddress)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

let tables = 0

function rules({ launcher }: Machine, chains: readonly string[]): Undo {
  tables += 1
  const name = `fault${tables}`
  const nft = (input: string) => {
    const [program, ...args] = [...launcher, 'nft', '-f', '-']
    execFileSync(program, args, { input })
  }
  nft(`table inet ${name} {\n${chains.join('\n')}\n}\n`)
  return () => nft(`delete table inet ${name}\n`)
}
