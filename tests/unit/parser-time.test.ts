// Parsers of text from outside take a time that grows with its length and no faster: one datagram, file or header must not hold the
// event loop. Each parser reads every shape of text at two lengths. Eight times the text may take eight times as long and, on a machine
// with neighbours, some more; a parser that looks ahead from every character takes sixty-four times as long.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { parsePayment } from '../../server/src/domain/money/payment.ts'
import { readFreeText } from '../../server/src/domain/numbers/free-text-number.ts'
import { zonesOfRegion } from '../../server/src/domain/numbers/number-zone.ts'
import { providerOfPorted, providerOfRange } from '../../server/src/domain/numbers/providers.ts'
import { browserName } from '../../server/src/domain/people/session.ts'
import { programsIn } from '../../server/src/domain/requests/api-request.ts'
import { readNumberFile } from '../../server/src/domain/trunks/number-import.ts'
import { csvLine } from '../../server/src/domain/values/text.ts'
import { hideHosts } from '../../server/src/domain/verifications/sip-message.ts'
import { redactResponse } from '../../server/src/domain/webhooks/webhook.ts'
import { credentialsOf } from '../../server/src/http/credentials.ts'
import { languageOf } from '../../server/src/http/language.ts'
import { repeatedNames } from '../../server/src/http/repeated-names.ts'
import { readPlace } from '../../server/src/numbering/place.ts'
import { readRegistry } from '../../server/src/numbering/read-registry.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { scrubbed } from '../../server/src/process/log/log.ts'
import { edgeKeys } from '../../server/src/telephony/edge/key.ts'
import { parseBranch, parseReply, parseState } from '../../server/src/telephony/edge/messages.ts'
import { hasTag } from '../../server/src/telephony/edge/return-path.ts'
import { authorizationOf } from '../../server/src/telephony/sip/digest.ts'
import { isWithheld, userOf, userOfAll } from '../../server/src/telephony/sip/identity.ts'
import { createSipMask } from '../../server/src/telephony/sip/mask-sip.ts'
import { readInvite } from '../../server/src/telephony/sip/read-invite.ts'
import { createSignalReader } from '../../server/src/telephony/sip/trunk-signals.ts'
import { csvOf } from '../../web/src/dashboard/numbers/csv.ts'
import { splitNumbers } from '../../web/src/dashboard/numbers/split-numbers.ts'

type Parser = (text: string) => unknown

const caller = { to: '79070000001', from: '70000000486' }
const maskSip = createSipMask(caller)
const signals = createSignalReader(createClock(1))
const ours = { host: '0.0.0.0', port: 5060 }
const digest = { method: 'INVITE', uri: 'sip:a@b', user: 'user', password: 'password' }
const keys = edgeKeys('password')
const optionsReply = { status: 200, reason: '', callId: '', sequence: 1, method: 'OPTIONS', to: '' }
const searchDocs = readSearch()
const checked = {
  place: 0,
  mask: '',
  state: 'checked',
  isMobile: true,
  country: '',
  provider: '',
  region: '',
  city: '',
} as const

// Each header of SIP that is read.
const invited = (headers: string) => `INVITE sip:1@x SIP/2.0\r\n${headers}\r\n\r\n`
const replied = (headers: string) => `SIP/2.0 401 Unauthorized\r\nCall-ID: x\r\nCSeq: 1 INVITE\r\n${headers}\r\n\r\n`

const parsers: Readonly<Record<string, Parser>> = {
  'SIP: an address': userOf,
  'SIP: addresses': (text) => userOfAll([text, text]),
  'SIP: privacy': (text) => isWithheld(text, text),
  'SIP: an INVITE': readInvite,
  'SIP: From': (text) => readInvite(invited(`From: ${text}`)),
  'SIP: Diversion': (text) => readInvite(invited(`Diversion: ${text}\r\nDiversion: ${text}`)),
  'SIP: Via': (text) => readInvite(invited(`Via: ${text}`)),
  'SIP: the request line': (text) => readInvite(`INVITE sip:${text}@x SIP/2.0\r\n\r\n`),
  'SIP: a reply': (text) => parseReply(Buffer.from(replied(`To: ${text}`))),
  'SIP: a reply of another form': (text) => parseReply(Buffer.from(`SIP/2.0 200 ${text}\r\n\r\n`)),
  'SIP: the state of the edge': (text) => parseState({ ...optionsReply, text: replied(text) }, 1, keys),
  'SIP: a branch': (text) => parseBranch(Buffer.from(`${'0'.repeat(64)} branch ${text} z9hG4bK${text}`), keys),
  'SIP: a challenge': (text) => authorizationOf(replied(`WWW-Authenticate: Digest ${text}`), digest),
  'SIP: a tag': (text) => hasTag(`ACK sip:x SIP/2.0\r\nTo: <sip:x>${text}\r\n\r\n`, 'tag'),
  'SIP: OPTIONS': (text) =>
    signals.add({ protocol: 'udp', source: ours, destination: ours, atMs: 1, callId: 'x', text: optionsOf(text) }),
  'SIP: REGISTER': (text) =>
    signals.add({ protocol: 'udp', source: ours, destination: ours, atMs: 1, callId: 'x', text: registerOf(text) }),
  'SIP: mask of a message': maskSip,
  'SIP: mask of a header': (text) => maskSip(invited(`From: ${text}`)),
  'SIP: mask of a header with the number': (text) => maskSip(invited(`Contact: 9070000001 ${text}\r\nX: ${text}`)),
  'SIP: hosts': hideHosts,
  'HTTP: User-Agent, programs': programsIn,
  'HTTP: User-Agent, browser': browserName,
  'HTTP: Authorization': (text) => credentialsOf(`Bearer ${text}`, undefined),
  'HTTP: Accept-Language': (text) => languageOf(`ru;q=${text}`),
  'HTTP: JSON': (text) => repeatedNames(JSON.stringify({ a: text, b: '\\' }), { a: text, b: '\\' }),
  'HTTP: a payment': (text) => parsePayment(text, 'EUR'),
  'log: a text': scrubbed,
  'numbers: free text': readFreeText,
  'CSV: a field': (text) => csvLine([text]),
  'CSV: a field in the browser': (text) => csvOf([{ ...checked, organisation: text, networkCode: 0, error: '' }]),
  'CSV: numbers of a trunk': readNumberFile,
  'CSV: pasted numbers': splitNumbers,
  'registry: an organisation': (text) =>
    providerOfRange({ organisation: text, inn: '', region: '', city: '', isReserve: false }),
  'registry: an owner': (text) => providerOfPorted({ owner: text, mnc: text }),
  'registry: a place': readPlace,
  'registry: the zones of a region': zonesOfRegion,
  'registry: a row': (text) => readRegistryRow(`901;1;2;2;ООО;${text};${text}`),
  'registry: a row with quotes': (text) => readRegistryRow(`901;1;2;2;"${text}";x;x`),
  'webhook: a response': (text) => redactResponse(Buffer.from(text)),
  'docs: search': searchDocs,
}

// What is repeated, between what begins and what ends the text.
const units = [
  ...'a1 \t,;:<>()[]{}"\'\\/=@+-*|&?%.«»\u2028',
  '\r\n',
  '""',
  '\\"',
  ';"',
  ';""a',
  ';tag=a',
  'sip:',
  'tel:1',
  ',a',
  ', (',
  ' ,',
  '* ',
  'a ',
  'a=',
  'a="',
  '<a>,',
  'to:\r\n',
  't:<sip:\r\n',
  'via:;received=\r\n',
  '90700000',
  '07000',
  'q=1,',
  '1.',
  ' 1',
  '":',
  '[](',
  '<sip:',
]
const starts = ['', '"', '<']
const ends = ['', '>', '\u2028']

const shorter = 1_024
const times = 8
// Eight for the length; the rest is for what a measurement is wrong by.
const growthMax = 24
const attempts = 5
// Many times what the kernel counts CPU time in.
const cpuMsMin = 60

for (const [name, parse] of Object.entries(parsers)) {
  test(`${name}: time grows with the length`, () => assert.equal(slowShape(parse), undefined))
}

test('a parser that looks ahead from every comma is found', () => {
  assert.match(slowShape((text) => text.split(/,(?![^<]*>)/)) ?? '', /","/)
})

test('and one that searches for the end of a run from every character of it', () => {
  assert.match(slowShape((text) => text.replace(/[\w+/=%-]*$/, '')) ?? '', /"a"/)
})

// The first shape whose time has grown too much: its start, unit and end, and how much.
function slowShape(parse: Parser): string | undefined {
  for (const start of starts) {
    for (const unit of units) {
      for (const end of ends) {
        const textOf = (chars: number) => `${start}${unit.repeat(chars / unit.length)}${end}`
        const [short, long] = [textOf(shorter), textOf(shorter * times)]
        if (quickGrowth(parse, short, long) <= growthMax) continue
        const growth = cpuGrowth(parse, short, long)
        if (growth > growthMax) return `${JSON.stringify([start, unit, end])}: ${Math.round(growth)} times as long`
      }
    }
  }
  return undefined
}

// By the clock, the least of several attempts: what interrupts a measurement only makes it longer. But on a machine with neighbours it
// may have interrupted every one of them.
function quickGrowth(parse: Parser, short: string, long: string): number {
  let [shortMs, longMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let n = 0; n < attempts && (n === 0 || longMs / shortMs > growthMax); n++) {
    // Reading the text once is the least that a parser does. Without it, one that gives up at the first character looks slow.
    shortMs = Math.min(shortMs, timeOf(parse, short) + timeOf(readOnce, short))
    longMs = Math.min(longMs, timeOf(parse, long))
  }
  return longMs / shortMs
}

// By CPU time, which the kernel counts coarsely, over as many characters of both lengths.
function cpuGrowth(parse: Parser, short: string, long: string): number {
  let repeats = 1
  let longMs = cpuOf(parse, long, repeats)
  while (longMs < cpuMsMin) {
    repeats *= 2
    longMs = cpuOf(parse, long, repeats)
  }
  const shortMs = cpuOf(parse, short, repeats * times) + cpuOf(readOnce, short, repeats * times)
  return (longMs / Math.max(shortMs, 1)) * times
}

function cpuOf(parse: Parser, text: string, repeats: number): number {
  const before = process.cpuUsage()
  for (let n = 0; n < repeats; n++) timeOf(parse, text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function timeOf(parse: Parser, text: string): number {
  const startedMs = performance.now()
  try {
    parse(text)
  } catch {
    // Refusing takes its time, too.
  }
  return performance.now() - startedMs
}

function readOnce(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at)
  return sum
}

function readRegistryRow(row: string): unknown {
  return readRegistry('registry.csv', Buffer.from(`901;1;2;2;ООО;x;x\n${row}\n`))
}

function optionsOf(text: string): string {
  return `OPTIONS sip:x SIP/2.0\r\nCSeq: 1 OPTIONS\r\nVia: ${text}\r\n\r\n`
}

function registerOf(text: string): string {
  return `REGISTER sip:x SIP/2.0\r\nCSeq: 1 REGISTER\r\n${text}\r\n\r\n`
}

// Of the script of the pages, which is no module.
function readSearch(): Parser {
  const document = { documentElement: { dataset: {} }, addEventListener: () => undefined }
  const localStorage = { getItem: () => null }
  const script = readFileSync(new URL('../../server/assets/docs/docs.js', import.meta.url), 'utf8')
  const search = runInContext(`${script}\nsearch`, createContext({ document, localStorage })) as (
    entries: readonly (readonly string[])[],
    query: string,
  ) => unknown
  const entries = Array.from({ length: 20 }, (_, n) => [`title ${n}`, 'place', '/docs', 'a1 "sip:" <x>'])
  return (text) => search(entries, text)
}
