// The options of `trunks add` and `trunks set`, and how their values are parsed.

import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { anyCountry } from '../domain/money/tariff.ts'
import { isCountryCode } from '../domain/numbers/country.ts'
import { numberFormats } from '../domain/numbers/number-format.ts'
import { callerIdHeaders, identities, returnPathModes, type Trunk, transports } from '../domain/trunks/trunk.ts'
import { UsageError } from '../errors.ts'

export type TrunkOptions = Readonly<Partial<Record<OptionName, string>>>

type OptionName = keyof typeof parsers

const none = 'none'
const formats = 'e164 (+7…), e164-no-plus (7…), ru-8 (8…) or ru-10 (ten digits)'

export function addTrunkOptions(command: Command): Command {
  return command
    .option('--channels <n>', 'concurrent calls, over all nodes')
    .option('--calls-per-second <n>', 'new calls per second, over all nodes')
    .option('--address <host[:port]>', 'SIP address of the carrier')
    .option('--transport <udp|tcp|tls>', 'SIP transport')
    .option('--user <name>', `SIP user name, or ${none} if the carrier authenticates us by IP address`)
    .option('--password-file <path>', 'file with the password of --user')
    .option('--register <on|off>', 'send SIP REGISTER to the carrier')
    .option('--countries <codes>', 'countries to call over this trunk, such as RU,KZ, or * for all')
    .option('--priority <n>', 'trunks are tried from the lowest to the highest priority number')
    .option('--called-prefix <digits>', `prefix for every dialled number, or ${none}`)
    .option('--called-format <format>', `format of dialled numbers: ${formats}`)
    .option('--caller-format <format>', 'format of the caller ID, see --called-format')
    .option(
      '--caller-id-header <from|pai|rpid>',
      'header with the caller ID: From only, or also P-Asserted-Identity or Remote-Party-ID',
    )
    .option('--from-user <name>', `user part of From instead of the caller ID, or ${none}`)
    .option('--inbound-format <format>', 'format of the caller ID on inbound calls, see --called-format')
    .option(
      '--identity <pai|from>',
      'header that identifies inbound callers: P-Asserted-Identity (From if absent), or From only',
    )
    .option(
      '--return-path <record|enforce>',
      'enforce: inbound calls over UDP verify only after an ACK to our reply; record: count only, and switch to enforce automatically',
    )
    .option(
      '--allow-relay <on|off>',
      'accept inbound calls over UDP through a relay (several Via headers); such calls can be forged',
    )
    .option('--srtp <on|off>', 'encrypt the audio with SRTP; needs --transport tls and a carrier that offers SDES')
    .option('--ring-seconds <n>', 'ring time of a flash call in seconds, 1 to 20, or default')
    .option('--counts-early-media <on|off>', 'count early media (183) as ringing')
    .option('--json', 'print JSON')
}

// The password is returned separately, because it has to be sealed.
export function parseTrunkOptions(options: TrunkOptions): {
  readonly changes: Partial<Trunk>
  readonly password: string | undefined
} {
  const changes: Record<string, unknown> = {}
  let password: string | undefined
  for (const [name, text] of Object.entries(options)) {
    const parse = parsers[name as OptionName]
    if (!parse || text === undefined) continue
    if (name === 'passwordFile') password = parsers.passwordFile(text)
    else changes[fieldNames[name] ?? name] = parse(text)
  }
  return { changes, password }
}

// Options whose name differs from the trunk's field.
const fieldNames: Readonly<Record<string, string>> = { register: 'outboundRegistration', allowRelay: 'allowsRelay' }

const parsers = {
  channels: whole('--channels', 1, 1_000_000),
  callsPerSecond: parseRate,
  address: parseAddress,
  transport: oneOf('--transport', transports),
  user: orNone(userName('--user')),
  passwordFile: readPassword,
  register: onOff('--register'),
  countries: parseCountries,
  priority: whole('--priority', 0, 1_000_000),
  calledPrefix: (text: string) => orNone(parsePrefix)(text) ?? '',
  calledFormat: oneOf('--called-format', numberFormats),
  callerFormat: oneOf('--caller-format', numberFormats),
  callerIdHeader: oneOf('--caller-id-header', callerIdHeaders),
  fromUser: orNone(userName('--from-user')),
  inboundFormat: oneOf('--inbound-format', numberFormats),
  identity: oneOf('--identity', identities),
  returnPath: oneOf('--return-path', returnPathModes),
  allowRelay: onOff('--allow-relay'),
  srtp: onOff('--srtp'),
  ringSeconds: (text: string) => (text === 'default' ? null : whole('--ring-seconds', 1, 20)(text)),
  countsEarlyMedia: onOff('--counts-early-media'),
} satisfies Record<string, (text: string) => unknown>

function whole(option: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d{1,9}$/.test(text) || value < min || value > max) {
      throw new UsageError(`${option} takes a whole number from ${min} to ${max}, not "${text}".`)
    }
    return value
  }
}

// A carrier may allow less than one call per second.
function parseRate(text: string): number {
  const value = Number(text)
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || value === 0) {
    throw new UsageError(`--calls-per-second takes a number above 0, such as 25 or 0.5, not "${text}".`)
  }
  return value
}

function parseAddress(text: string): string {
  if (!/^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[1-9]\d{0,4})?$/.test(text)) {
    throw new UsageError(`--address takes a host with an optional port, such as sip.example.org:5060, not "${text}".`)
  }
  return text
}

function parseCountries(text: string): readonly string[] {
  const countries = [...new Set(text.split(',').map((code) => code.trim()))]
  if (text !== anyCountry && !countries.every(isCountryCode)) {
    throw new UsageError(`--countries takes two-letter ISO 3166 codes in capitals, such as RU,KZ, or *, not "${text}".`)
  }
  return countries
}

function parsePrefix(text: string): string {
  if (!/^[0-9*]{1,12}$/.test(text))
    throw new UsageError(`--called-prefix takes up to 12 digits and stars, not "${text}".`)
  return text
}

function userName(option: string): (text: string) => string {
  return (text) => {
    if (!/^[A-Za-z0-9_.+-]{1,64}$/.test(text)) {
      throw new UsageError(`${option} takes 1 to 64 letters, digits and . _ + -, not "${text}".`)
    }
    return text
  }
}

function readPassword(path: string): string {
  try {
    const password = readFileSync(path, 'utf8').trim()
    if (password !== '' && !/[\r\n]/.test(password)) return password
  } catch {
    // Reported below, without the content of the file.
  }
  throw new UsageError(`--password-file takes a file with one line; ${path} cannot be read or has none or several.`)
}

function orNone<T>(parse: (text: string) => T): (text: string) => T | null {
  return (text) => (text === none ? null : parse(text))
}

function onOff(option: string): (text: string) => boolean {
  return (text) => {
    if (text !== 'on' && text !== 'off') throw new UsageError(`${option} takes on or off, not "${text}".`)
    return text === 'on'
  }
}

function oneOf<T extends string>(option: string, words: readonly T[]): (text: string) => T {
  return (text) => {
    const word = words.find((known) => known === text)
    if (word === undefined) throw new UsageError(`${option} takes one of: ${words.join(', ')}, not "${text}".`)
    return word
  }
}
