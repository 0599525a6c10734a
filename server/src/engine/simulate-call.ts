// Simulates a call to a test number, or to a virtual phone where no handset is real: nothing is dialled, and everything after
// it is as for a call over a trunk.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { Clock } from '../clock.ts'
import { simulateProgress, type VirtualPhone } from '../domain/calls/virtual-phone.ts'
import type { PlacedCall } from './place-call.ts'

export function simulateCall(
  { clock }: { readonly clock: Clock },
  { phone, mode, ringMs }: { readonly phone: VirtualPhone; readonly mode: CallMode; readonly ringMs: number },
): PlacedCall {
  const rang = Promise.withResolvers<boolean>()
  const answered = Promise.withResolvers<boolean>()
  const run = async () => {
    const progress = simulateProgress(phone, mode, ringMs)
    const { rangAtMs, answeredAtMs, endedAtMs } = progress
    let atMs = 0
    const waitUntil = async (nextMs: number) => {
      await clock.sleep(nextMs - atMs, AbortSignal.any([]))
      atMs = nextMs
    }
    if (rangAtMs !== undefined) await waitUntil(rangAtMs)
    rang.resolve(rangAtMs !== undefined)
    if (answeredAtMs !== undefined) await waitUntil(answeredAtMs)
    answered.resolve(answeredAtMs !== undefined)
    await waitUntil(endedAtMs)
    return progress
  }
  return {
    rang: rang.promise,
    answered: answered.promise,
    progress: run(),
    messages: async () => [],
    messagesSoFar: () => [],
  }
}
