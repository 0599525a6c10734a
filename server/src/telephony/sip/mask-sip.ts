// Removes everything from a SIP message that identifies a person, proves an identity or gives a code away, before it leaves
// this directory. What is not known to be harmless is removed: a header, a parameter or an SDP attribute that is not listed
// here keeps its name only. In a flash call the last four digits of the caller number are the code, so they are removed from
// free text and from names that the carrier chose. They stay where a number means something else, as in a port: removing one
// there would give the code away.

import { callerPlaceholder, phonePlaceholder } from '../../domain/verifications/sip-message.ts'

export type CallNumbers = { readonly to: string; readonly from: string }

const removed = '<removed>'
const userPlaceholder = '<user>'
const namePlaceholder = '"<name>"'

// Digits that every format of a number ends with.
const tailDigits = 7

const addressHeaders = new Set(
  'from to contact via route record-route p-asserted-identity p-preferred-identity remote-party-id diversion'.split(
    ' ',
  ),
)
const plainHeaders = new Set(
  (
    'cseq content-length content-type max-forwards expires min-expires session-expires min-se retry-after allow supported ' +
    'require proxy-require unsupported accept privacy date allow-events'
  ).split(' '),
)
const textHeaders = new Set('call-id server user-agent reason warning'.split(' '))
const compactNames: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  m: 'contact',
  i: 'call-id',
  l: 'content-length',
  c: 'content-type',
  k: 'supported',
  x: 'session-expires',
}
const knownParameters = new Set(
  'tag branch rport received transport lr user ob expires q party privacy screen reason counter refresher ttl'.split(
    ' ',
  ),
)
const knownAttributes = new Set(
  'rtpmap fmtp ptime maxptime sendrecv sendonly recvonly inactive rtcp rtcp-mux'.split(' '),
)

export function createSipMask(numbers: CallNumbers): (text: string) => string {
  const sweep = createSweep(numbers)
  return (text) => maskSip(text, numbers, sweep)
}

function maskSip(text: string, numbers: CallNumbers, sweep: Sweep): string {
  const [head = '', ...bodies] = text.split(/\r?\n\r?\n/)
  // A header may be folded over several lines.
  const [start = '', ...headers] = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const isSdp = /^(content-type|c)[ \t]*:[ \t]*application\/sdp\b/im.test(head)
  const body = bodies.join('\n\n').trim()
  const lines = [maskStart(start, numbers, sweep), ...headers.map((line) => maskHeader(line, numbers, sweep))]
  if (body !== '') lines.push('', ...(isSdp ? body.split(/\r?\n/).map((line) => maskSdp(line, sweep)) : [removed]))
  // A number is removed wherever else a carrier has put it.
  return sweep.numbers(lines.join('\n'))
}

type Sweep = {
  // Numbers in any spelling.
  readonly numbers: (text: string) => string
  // And the last four digits of the caller.
  readonly digits: (text: string) => string
}

function createSweep({ to, from }: CallNumbers): Sweep {
  const [called, caller] = [removerOf(to, phonePlaceholder), removerOf(from, callerPlaceholder)]
  const numbers = (text: string) => caller(called(text))
  return { numbers, digits: (text) => numbers(text).replaceAll(from.slice(-4), '****') }
}

function removerOf(number: string, placeholder: string): (text: string) => string {
  const tail = number.slice(-tailDigits).split('').join('[ ().\\-]{0,2}')
  // Most texts have no number, and to find that out the digits before its tail are not needed.
  const isIn = new RegExp(tail)
  // A run of digits without the tail is taken as a whole, so that none of it is read again.
  const spelled = new RegExp(`([+\\d]*${tail})|[+\\d]+`, 'g')
  return (text) =>
    isIn.test(text)
      ? text.replaceAll(spelled, (run: string, found: string | undefined) => (found === undefined ? run : placeholder))
      : text
}

function maskStart(line: string, numbers: CallNumbers, sweep: Sweep): string {
  const reply = /^SIP\/2\.0 (\d{3})(.*)$/.exec(line)
  if (reply) return `SIP/2.0 ${reply[1]}${sweep.digits(reply[2] ?? '')}`
  const [method = '', uri = ''] = line.split(' ')
  return /^[A-Z]{1,20}$/.test(method) ? `${method} ${maskAddress(uri, numbers, sweep)} SIP/2.0` : removed
}

function maskHeader(line: string, numbers: CallNumbers, sweep: Sweep): string {
  const [, name = '', text = ''] = /^([\w-]{1,60})[ \t]*:([^]*)$/.exec(line) ?? []
  const value = text.trimStart()
  const known = compactNames[name.toLowerCase()] ?? name.toLowerCase()
  if (addressHeaders.has(known)) return `${name}: ${maskAddress(value, numbers, sweep)}`
  if (plainHeaders.has(known)) return `${name}: ${value}`
  if (textHeaders.has(known)) return `${name}: ${sweep.digits(value)}`
  return name === '' ? removed : `${sweep.digits(name)}: ${removed}`
}

// A header value with addresses: display names, user parts and parameters.
function maskAddress(value: string, { to, from }: CallNumbers, sweep: Sweep): string {
  const userOf = (user: string) => {
    const digits = user.replace(/[;:].*$/, '').replaceAll(/\D/g, '')
    if (digits.endsWith(to.slice(-tailDigits))) return phonePlaceholder
    return digits.endsWith(from.slice(-tailDigits)) ? callerPlaceholder : userPlaceholder
  }
  return value
    .replaceAll(/"(?:\\[^]|[^"\\])*("?)/g, (quoted: string, closing: string) =>
      closing === '' ? quoted : namePlaceholder,
    )
    .replaceAll(/(^|,)\s*[^\s<>",;:@]+(?:\s+[^\s<>",;:@]+)*\s*(?=<sips?:|<tel:)/gi, `$1${namePlaceholder} `)
    .replaceAll(/\b(sips?:)([^@\s>,"]*)(@?)/gi, (uri: string, scheme: string, user: string, at: string) =>
      at === '' ? uri : `${scheme}${userOf(user)}@`,
    )
    .replaceAll(/\b(tel:)([^\s;>,]*)/gi, (_, scheme: string, user: string) => `${scheme}${userOf(user)}`)
    .replaceAll(/\?[^\s>,]*/g, `?${removed}`)
    .replaceAll(/;\s*([^=;,>\s]*)(=("[^"]*"|[^;,>\s]*))?/g, (_, name: string, given: string | undefined) =>
      maskParameter(name, given, sweep),
    )
}

function maskParameter(name: string, given: string | undefined, sweep: Sweep): string {
  const known = knownParameters.has(name.toLowerCase())
  if (given === undefined) return `;${known ? name : removed}`
  if (!known) return `;${sweep.digits(name)}=${removed}`
  return `;${name}${name === 'rport' || name === 'received' ? given : sweep.digits(given)}`
}

// The origin and the session name are the carrier's words; a=crypto has the key of the media.
function maskSdp(line: string, sweep: Sweep): string {
  const [, kind = '', value = ''] = /^([a-z])=(.*)$/.exec(line) ?? []
  if ('vctmb'.includes(kind) && kind !== '') return line
  if (kind !== 'a') return `${kind}=${removed}`
  const name = /^[\w-]+/.exec(value)?.[0] ?? ''
  return knownAttributes.has(name) ? line : `a=${sweep.digits(name)}${value.includes(':') ? `:${removed}` : ''}`
}
