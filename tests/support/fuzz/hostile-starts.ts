// Requests for a call that try to inject into a SIP message.

import fc from 'fast-check'
import type { StartCommand } from '../../../server/src/domain/verifications/call-request.ts'
import { initCallCommand } from '../../../server/src/http/commands.ts'
import type { Fields } from '../../../server/src/http/request-fields.ts'
import { Refusal } from '../../../server/src/process/errors.ts'

const fragments = [
  '\r\nX-Evil: 1',
  '\r\n\r\nINVITE sip:victim@example.org SIP/2.0',
  '@evil.example.org',
  ';transport=tcp',
  '>',
  '"',
  '&app=other',
  '&callerId=1',
  '%0d%0a',
  '%40',
  '?Replaces=x',
  ',',
  '/n',
  '\0',
  ' ',
  '+',
  '+7',
  '٧',
  '７',
  '${EXTEN}',
  'Local/1@incoming',
]

const number = fc.integer({ min: 0, max: 999 }).map((last) => `7907000${String(last).padStart(4, '0')}`)
const fragment = fc.constantFrom(...fragments)
const spoiled = fc
  .tuple(number, fragment, fc.nat(11))
  .map(([digits, evil, at]) => digits.slice(0, at) + evil + digits.slice(at))
const anyText = fc.string({ unit: 'binary', maxLength: 40 })

const phone = fc.oneof(number, number.map(Number), spoiled, spoiled, anyText, fc.jsonValue())
const code = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 1, max: 9_999 }),
  fc.integer({ min: 1, max: 9_999 }).map((value) => String(value).padStart(4, '0')),
  fc.tuple(fc.stringMatching(/^\d{0,4}$/), fragment).map((parts) => parts.join('')),
  anyText,
)
const client = fc.oneof(fc.constant(undefined), fragment, anyText)

export const hostileStart: fc.Arbitrary<Fields> = fc
  .tuple(phone, code, client, fc.constantFrom('json', 'text'))
  .map(([givenPhone, givenCode, givenClient, kind]) => ({
    kind: kind === 'json' ? 'json' : 'text',
    values: new Map<string, unknown>(
      [
        ['phone', kind === 'json' || typeof givenPhone === 'string' ? givenPhone : JSON.stringify(givenPhone)] as const,
        ['code', kind === 'json' || givenCode === undefined ? givenCode : String(givenCode)] as const,
        ['client', givenClient] as const,
      ].filter(([, value]) => value !== undefined),
    ),
  }))

// Undefined when the request is refused.
export function startOf(fields: Fields): StartCommand | undefined {
  try {
    return initCallCommand(fields)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
