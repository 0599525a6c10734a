// What a text typed into the palette may be, beside the name of a screen.

import { errorPages, type RefusalCode } from '@ringproof/contract/error-pages.ts'

type Typed =
  | { readonly kind: 'error'; readonly code: RefusalCode }
  | { readonly kind: 'request'; readonly id: string }
  // A number, an ID or a client: the server knows which.
  | { readonly kind: 'calls' }

export const requestIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const codeDigitsMax = 4
const insufficientFunds: RefusalCode = 1002
const searchedMin = 3

// Where no calls are sold no request is refused for want of money.
export function readTyped(text: string, sells: boolean): Typed | undefined {
  const typed = text.trim()
  if (requestIdPattern.test(typed.toLowerCase())) return { kind: 'request', id: typed.toLowerCase() }
  if (/^\d+$/.test(typed) && typed.length <= codeDigitsMax) {
    return isCode(typed) && (sells || Number(typed) !== insufficientFunds)
      ? { kind: 'error', code: Number(typed) as RefusalCode }
      : undefined
  }
  return typed.length < searchedMin ? undefined : { kind: 'calls' }
}

function isCode(digits: string): boolean {
  return Object.hasOwn(errorPages, String(Number(digits)))
}
