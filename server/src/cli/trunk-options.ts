// How a trunk is described on the command line: the options of `trunks add` and `trunks set`, and what they mean.

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
const formats = 'plus (+7…), digits (7…), eight (8…) or ten (without the country)'

export function addTrunkOptions(command: Command): Command {
  return command
    .option('--channels <n>', 'calls at once, over all nodes')
    .option('--calls-per-second <n>', 'new calls a second, over all nodes')
    .option('--address <host[:port]>', 'where the carrier is')
    .option('--transport <udp|tcp|tls>', 'how it is reached')
    .option('--user <name>', `whom the carrier knows us as, or ${none}: it knows our address`)
    .option('--password-file <path>', 'a file with the password of that user')
    .option('--register <on|off>', 'whether the carrier wants us to register')
    .option('--countries <codes>', 'which it serves, such as RU,KZ, or * for all')
    .option('--priority <n>', 'trunks are tried from the lowest to the highest')
    .option('--called-prefix <digits>', `what is dialled before every number, or ${none}`)
    .option('--called-format <format>', `how it wants numbers spelled: ${formats}`)
    .option('--caller-format <format>', 'how it wants our numbers spelled, likewise')
    .option('--caller-id-header <from|pai|rpid>', 'where our number stands: From alone, or another header besides')
    .option('--from-user <name>', `who stands in From instead of our number, or ${none}`)
    .option('--inbound-format <format>', 'how it spells who calls us, likewise')
    .option(
      '--identity <pai|from>',
      'which header names who calls us: P-Asserted-Identity (From if absent), or From alone',
    )
    .option(
      '--return-path <record|enforce>',
      'whether calls to us over UDP verify only after the sender has acknowledged our reply; record counts and switches itself',
    )
    .option(
      '--allow-relay <on|off>',
      'whether calls to us over UDP may come through a relay (several Vias): can be forged',
    )
    .option('--srtp <on|off>', 'encrypt the audio with SRTP; needs --transport tls and a carrier that offers SDES')
    .option('--ring-seconds <n>', 'how long a flash call rings, 1 to 20, or default')
    .option('--counts-early-media <on|off>', 'whether an announcement (183) counts as ringing')
    .option('--json', 'print JSON')
}

// What the options say of a trunk; the password apart, because it has to be sealed.
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

// Where an option is not called what the trunk's field is.
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
      throw new UsageError(`${option} takes a whole number from ${min} to ${max}`)
    }
    return value
  }
}

// A carrier may allow less than one a second.
function parseRate(text: string): number {
  const value = Number(text)
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || value === 0) {
    throw new UsageError('--calls-per-second takes a number above 0, such as 25 or 0.5')
  }
  return value
}

function parseAddress(text: string): string {
  if (!/^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[1-9]\d{0,4})?$/.test(text)) {
    throw new UsageError('--address takes a name or an address with or without a port, such as sip.example.org:5060')
  }
  return text
}

function parseCountries(text: string): readonly string[] {
  const countries = [...new Set(text.split(',').map((code) => code.trim()))]
  if (text !== anyCountry && !countries.every(isCountryCode)) {
    throw new UsageError('--countries takes the two capital letters of ISO 3166, such as RU,KZ, or *')
  }
  return countries
}

function parsePrefix(text: string): string {
  if (!/^[0-9*]{1,12}$/.test(text)) throw new UsageError('--called-prefix takes up to 12 digits and stars')
  return text
}

function userName(option: string): (text: string) => string {
  return (text) => {
    if (!/^[A-Za-z0-9_.+-]{1,64}$/.test(text)) {
      throw new UsageError(`${option} takes 1 to 64 letters, digits and . _ + -`)
    }
    return text
  }
}

function readPassword(path: string): string {
  try {
    const password = readFileSync(path, 'utf8').trim()
    if (password !== '' && !/[\r\n]/.test(password)) return password
  } catch {
    // Told below, without the path's content.
  }
  throw new UsageError('--password-file takes a file with one line')
}

function orNone<T>(parse: (text: string) => T): (text: string) => T | null {
  return (text) => (text === none ? null : parse(text))
}

function onOff(option: string): (text: string) => boolean {
  return (text) => {
    if (text !== 'on' && text !== 'off') throw new UsageError(`${option} takes on or off`)
    return text === 'on'
  }
}

function oneOf<T extends string>(option: string, words: readonly T[]): (text: string) => T {
  return (text) => {
    const word = words.find((known) => known === text)
    if (word === undefined) throw new UsageError(`${option} takes one of: ${words.join(', ')}`)
    return word
  }
}
