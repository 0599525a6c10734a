// The carrier whose phones ring, as a process: its CPU time is not ours.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createRingingCarrier } from './ringing-carrier.ts'

export type CarrierMessage =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'rang'; readonly rangMs: readonly number[]; readonly repeated: number; readonly pauseMs: number }

const carrier = await createRingingCarrier()
const pauses = monitorEventLoopDelay({ resolution: 10 })
pauses.enable()
say({ kind: 'address', address: carrier.address })

// What the calls from a user came to, once so many have ended, or too much time has passed.
process.on('message', ({ user, calls }: { readonly user: string; readonly calls: number }) => {
  report(user, calls).catch(() => process.exit(1))
})

async function report(user: string, calls: number): Promise<void> {
  const pauseMs = pauses.max / 1e6
  const rangMs = await carrier.ends(user, calls).catch(() => carrier.rangSoFar())
  say({ kind: 'rang', rangMs, repeated: carrier.repeatedCalls().length, pauseMs })
}

function say(message: CarrierMessage): void {
  process.send?.(message)
}
