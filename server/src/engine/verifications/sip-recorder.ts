// Stores the SIP messages of calls after their end. A call never waits for it and never fails by it: what cannot be written is
// dropped, with a warning at most every minute.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { createSipMessageBatch } from '../../db/verifications/sip-message.ts'
import type { VerificationId } from '../../domain/core/slot.ts'
import type { SipMessage, SipMessageChoice } from '../../domain/verifications/sip-message.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'

type RecordableCall = {
  readonly id: VerificationId
  readonly attempt: number
  readonly trunk: string
  readonly succeeded: boolean
  readonly messages: () => Promise<readonly SipMessage[]>
}

export type SipRecorder = {
  readonly note: (call: RecordableCall) => void
  // Writes what waits.
  readonly close: () => Promise<void>
}

type Deps = {
  readonly slots: SlotMap
  readonly choice: SipMessageChoice
  readonly clock: Clock
  readonly log: Logger
}

// Calls whose last replies are awaited, or that wait for the database.
const waitingMax = 2_000
const warnMs = 60_000
// Calls that end within this time are written together.
const gatherMs = 250

export function createSipRecorder({ slots, choice, clock, log }: Deps): SipRecorder {
  const write = createSipMessageBatch(slots)
  const waiting = new Set<Promise<void>>()
  const closing = new AbortController()
  let gathering: Promise<void> | undefined
  let dropped = 0
  const gathered = () => {
    gathering ??= clock.sleep(gatherMs, closing.signal).finally(() => {
      gathering = undefined
    })
    return gathering
  }
  const record = async ({ id, attempt, trunk, messages }: RecordableCall) => {
    const captured = await messages()
    if (captured.length === 0) return
    await gathered()
    await write({ id, attempt, trunk, messages: captured })
  }
  const warn = () => {
    if (dropped > 0) log.warn({ count: dropped }, 'SIP messages dropped')
    dropped = 0
  }
  const warning = clock.every(warnMs, warn)
  return {
    note: (call) => {
      if (choice === 'off' || (choice === 'failed' && call.succeeded)) return
      if (waiting.size >= waitingMax) {
        dropped += 1
        return
      }
      const recorded: Promise<void> = record(call)
        .catch(() => {
          dropped += 1
        })
        .finally(() => waiting.delete(recorded))
      waiting.add(recorded)
    },
    close: async () => {
      warning.stop()
      closing.abort()
      await Promise.all(waiting)
      warn()
    },
  }
}
