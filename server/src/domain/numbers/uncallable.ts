// Why a number cannot be called, for the sentence of code 3.

import { type UncallableReason, uncallableReasons } from '@ringproof/contract/phone-faults.ts'
import { Refusal } from '../../process/errors.ts'
import type { NumberDescription } from './number-plan.ts'

export function uncallable(reason: UncallableReason): Refusal {
  return new Refusal('invalidPhone', { reason: uncallableReasons[reason] })
}

// Of a value that is not written as a phone number.
export function misspellingOf(value: unknown): UncallableReason {
  if (typeof value === 'object') return 'severalValues'
  const text = typeof value === 'string' ? value : ''
  if (/^ \+?\d/.test(text)) return 'barePlus'
  if (/^\+?0\d/.test(text)) return 'leadingZero'
  return /\d[\s().-]/.test(text) || /^[(\s]/.test(text) ? 'separators' : 'notDigits'
}

// Of a well-written number that the numbering plans or the registry do not let us call.
export function faultOfNumber(digits: string, { isValid }: NumberDescription): UncallableReason {
  if (isValid) return 'neverCalled'
  if (digits.startsWith('810')) return 'foreignPrefix'
  if (/^8\d{10}$/.test(digits)) return 'leadingEight'
  // Area codes of Kazakhstan begin with 7, too: 701 to 708, 71, 72 and 77.
  if (digits.length === 10 && !/^7[3-689]/.test(digits)) return 'noCountryCode'
  return digits.startsWith('7') && digits.length !== 11 ? 'wrongLength' : 'notAssigned'
}
