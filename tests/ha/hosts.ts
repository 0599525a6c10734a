// Three machines as network namespaces, on a bridge in the namespace that this process runs in. Each can be cut off.

import { execFileSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'

export type Host = {
  readonly name: string
  readonly namespace: string
  readonly address: string
  // Arguments before a command that runs on this machine.
  readonly launcher: readonly string[]
  // No packet passes, and nobody is informed.
  readonly cut: () => void
  readonly join: () => void
}

// Called at the end, in reverse order.
export type Defer = (close: () => Promise<unknown>) => void

export const ownAddress = '10.77.0.9'

export function createHosts(defer: Defer, count = 3): readonly Host[] {
  const interfaces = Object.keys(networkInterfaces()).filter((name) => name !== 'lo')
  if (interfaces.length > 0) throw new Error('tests/ha runs in a separate network namespace: npm run test:ha')
  ip('link', 'set', 'lo', 'up')
  ip('link', 'add', 'br0', 'type', 'bridge')
  // The next test file makes its own.
  defer(async () => ip('link', 'delete', 'br0'))
  ip('address', 'add', `${ownAddress}/24`, 'dev', 'br0')
  ip('link', 'set', 'br0', 'up')
  return Array.from({ length: count }, (_, index) => createHost(index + 1, defer))
}

function createHost(n: number, defer: Defer): Host {
  const namespace = `ringproof-${process.pid}-${n}`
  const [inside, outside] = [`in${n}`, `out${n}`]
  const address = `10.77.0.${n}`
  ip('netns', 'add', namespace)
  defer(async () => ip('netns', 'delete', namespace))
  ip('link', 'add', inside, 'type', 'veth', 'peer', 'name', outside)
  // With its peer, which the namespace would take down a while later.
  defer(async () => ip('link', 'delete', outside))
  ip('link', 'set', inside, 'netns', namespace)
  ip('link', 'set', outside, 'master', 'br0', 'up')
  ip('-n', namespace, 'link', 'set', 'lo', 'up')
  ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', inside)
  ip('-n', namespace, 'link', 'set', inside, 'up')
  return {
    name: `host${n}`,
    namespace,
    address,
    launcher: ['ip', 'netns', 'exec', namespace],
    cut: () => ip('link', 'set', outside, 'down'),
    join: () => ip('link', 'set', outside, 'up'),
  }
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args)
}
