import type { CallMode } from '@ringproof/contract/methods.ts'
import type { VerificationId } from '../core/slot.ts'
import type { PhoneNumber } from '../numbers/phone-number.ts'

// A validated request to verify a number by a call.
export type StartCommand = {
  readonly phone: PhoneNumber
  readonly code: string | undefined
  readonly client: string
  readonly unique: string | undefined
  readonly mode: CallMode
  // The call that this one repeats, free of charge.
  readonly repeatOf?: VerificationId
}
