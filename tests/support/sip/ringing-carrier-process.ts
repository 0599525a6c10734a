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

// What the calls from a user came to, once so many have ended.
process.on('message', ({ user, calls }: { readonly user: string; readonly calls: number }) => {
  const pauseMs = pauses.max / 1e6
  carrier
    .ends(user, calls)
    .then((rangMs) => say({ kind: 'rang', rangMs, repeated: carrier.repeatedCalls().length, pauseMs }))
    .catch(() => process.exit(1))
})

function say(message: CarrierMessage): void {
  process.send?.(message)
}
