import type { PhoneNumber } from '../numbers/phone-number.ts'

// A request to wait for a subscriber's call, cleaned by the edge. Where the webhook may go is evaluated later.
export type InboundCommand = { readonly phone: PhoneNumber; readonly callbackUrl: string }
