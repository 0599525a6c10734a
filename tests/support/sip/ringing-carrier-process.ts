// The carrier whose phones ring, as a process: its CPU time is not ours.

import { createRingingCarrier } from './ringing-carrier.ts'

export type CarrierMessage =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'rang'; readonly rangMs: readonly number[]; readonly repeated: number }

const carrier = await createRingingCarrier()
say({ kind: 'address', address: carrier.address })

// What the calls from a user came to, once so many have ended.
process.on('message', ({ user, calls }: { readonly user: string; readonly calls: number }) => {
  carrier
    .ends(user, calls)
    .then((rangMs) => say({ kind: 'rang', rangMs, repeated: carrier.repeatedCalls().length }))
    .catch(() => process.exit(1))
})

function say(message: CarrierMessage): void {
  process.send?.(message)
}
