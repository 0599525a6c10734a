import type { PhoneNumber } from '../numbers/phone-number.ts'

// A validated request to wait for a subscriber's call. The webhook address is checked later.
export type InboundCommand = { readonly phone: PhoneNumber; readonly callbackUrl: string }
