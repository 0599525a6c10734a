import { readFileSync } from 'node:fs'
import { type PhoneNumber, readPhoneNumber } from '../../domain/numbers/phone-number.ts'
import { UsageError } from '../../process/errors.ts'

export const phoneOption = [
  '--phone <digits>',
  'the number with its country code; - reads it from standard input',
] as const

// Standard input keeps the number out of the shell history and the process list.
export function parsePhone(option: string): PhoneNumber {
  const phone = readPhoneNumber((option === '-' ? readFileSync(0, 'utf8') : option).trim())
  if (phone === undefined) {
    throw new UsageError('--phone takes 7 to 15 digits with the country code, or - to read them from standard input.')
  }
  return phone
}
