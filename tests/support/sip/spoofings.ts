// Ways to call with somebody else's number, or with none, and the specified outcome of each. The trunk `first` uses
// E.164 and owns 70000100001; 70000110001 belongs to the trunk `second`; 70000000000 to 70000009999 are caller IDs.

import type { NumberFormat } from '../../../server/src/domain/numbers/number-format.ts'
import type { SpelledCall, UnmatchedReason } from '../../../server/src/domain/verifications/inbound-call.ts'

export const victim = '79071110001'
export const attacker = '79072220002'

type Spoofing = {
  readonly call: SpelledCall
  // The caller it counts as; undefined when it matches nobody.
  readonly caller: string | undefined
  readonly unmatched: UnmatchedReason | undefined
}

const plain: SpelledCall = {
  trunk: 'first',
  called: '+70000100001',
  from: `+${victim}`,
  asserted: undefined,
  isWithheld: false,
  divertedBy: undefined,
  transport: 'udp',
  replyPath: 'direct',
}

const of = (caller: string, changes: Partial<SpelledCall>): Spoofing => ({
  call: { ...plain, ...changes },
  caller,
  unmatched: undefined,
})
const none = (unmatched: UnmatchedReason, changes: Partial<SpelledCall>): Spoofing => ({
  call: { ...plain, ...changes },
  caller: undefined,
  unmatched,
})

const notNumbers = [
  '',
  'anonymous',
  'unknown',
  '+',
  '+790711',
  '+7 907 111 00 01',
  '+٧٩٠٧١١١٠٠٠١',
  '+７９０７１１１０００１',
]
const otherHabits = [victim, victim.slice(1), `8${victim.slice(1)}`, `00${victim}`, `007${victim.slice(1)}`]
const decorated = [`tel:+${victim}`, ` +${victim}`, `++${victim}`, `+0${victim}`, `"${victim}" <sip:+${victim}`]
const tails = [';ext=1', ';user=phone', '\0', '%00', ' ', '@a', '\r\nX: y', victim].map((tail) => `+${victim}${tail}`)
const malformed = [...notNumbers, ...otherHabits, ...decorated, ...tails]

export const spoofings: readonly Spoofing[] = [
  of(victim, {}),
  of(victim, { asserted: `+${victim}`, from: '+70000000000' }),
  of(attacker, { asserted: `+${attacker}` }),
  of(attacker, { asserted: `+${attacker}`, from: 'anonymous' }),
  // The asserted identity is not a number: From is not used instead.
  none('malformed', { asserted: '' }),
  none('malformed', { asserted: 'anonymous' }),
  none('malformed', { asserted: victim }),
  ...malformed.map((from) => none('malformed', { from })),
  none('withheld', { isWithheld: true }),
  none('withheld', { isWithheld: true, asserted: `+${victim}` }),
  none('diverted', { divertedBy: `+${attacker}` }),
  none('diverted', { divertedBy: '' }),
  none('diverted', { divertedBy: 'anonymous' }),
  none('diverted', { divertedBy: '70000100001' }),
  of(victim, { divertedBy: '+70000110001' }),
  of(victim, { divertedBy: '+70000000042' }),
  none('wrong-transport', { transport: 'tcp' }),
  none('wrong-transport', { transport: 'tls' }),
  none('wrong-transport', { transport: 'own-connection' }),
  // An unknown transport is treated as UDP, the worst case.
  of(victim, { transport: undefined }),
  none('foreign-via', { replyPath: 'maddr' }),
  none('foreign-via', { replyPath: 'relayed' }),
  none('called-back', { called: '+70000000042' }),
  none('wrong-trunk', { called: '+70000110001' }),
  none('wrong-trunk', { trunk: 'second' }),
  none('not-ours', { trunk: 'evil' }),
  none('not-ours', { called: '+70009999999' }),
  none('not-ours', { called: '70000100001' }),
  none('not-ours', { called: 's' }),
]

export const spellings: readonly {
  readonly format: NumberFormat
  readonly called: string
  readonly from: string
  readonly caller: string | undefined
}[] = (
  [
    ['e164', '+70000100001', `+${victim}`],
    ['e164-no-plus', '70000100001', victim],
    ['ru-8', '80000100001', `8${victim.slice(1)}`],
    ['ru-10', '0000100001', victim.slice(1)],
  ] as const
).flatMap(([format, called, own], _, all) =>
  all.map(([, , from]) => ({
    format,
    called,
    from,
    // Ten digits and eleven digits starting with 7 are distinguished by length, so a carrier may use both.
    caller: from === own || (format === 'ru-10' && from === victim) ? victim : foreign(format, from),
  })),
)

// The digits of another format may be somebody's number in this one; what counts is that they are not the victim's.
function foreign(format: NumberFormat, from: string): string | undefined {
  if (format === 'e164-no-plus' && /^\d+$/.test(from)) return from
  return format === 'ru-10' && /^\d{11}$/.test(from) ? from : undefined
}
