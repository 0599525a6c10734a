// The options of `trunks add` and `trunks set`, and how their values are parsed.

import { readFileSync } from 'node:fs'
import { callerIdHeaders, numberFormats, sipTransports } from '@ringproof/contract/lists/trunks.ts'
import type { Command } from 'commander'
import { anyCountry } from '../domain/money/tariff.ts'
import { isCountryCode } from '../domain/numbers/country.ts'
import { integer, listOf, oneOf, onOff, type Parser, textThat, withWord } from '../domain/parsers.ts'
import { identities, returnPathModes, type Trunk } from '../domain/trunks/trunk.ts'
import { parseOption } from './parse-option.ts'

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
    .option('--test <on|off>', 'lead calls of test services to virtual phones over this trunk, and nothing else')
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
    const parser = parsers[name as OptionName]
    if (!parser || text === undefined) continue
    if (name === 'passwordFile') password = parseOption(name, parsers.passwordFile, text)
    else changes[fieldNames[name] ?? name] = parseOption<unknown>(name, parser, text)
  }
  return { changes, password }
}

// Options whose name differs from the trunk's field.
const fieldNames: Readonly<Record<string, string>> = {
  register: 'outboundRegistration',
  allowRelay: 'allowsRelay',
  test: 'isTest',
}

const userName = textThat((text) => /^[A-Za-z0-9_.+-]{1,64}$/.test(text), '1 to 64 letters, digits and . _ + -')

const parsers = {
  channels: integer(1, 1_000_000),
  callsPerSecond: { expects: 'a number above 0, such as 25 or 0.5', parse: parseRate },
  address: textThat(isHostAndPort, 'a host with an optional port, such as sip.example.org:5060'),
  transport: oneOf(...sipTransports),
  user: withWord(none, null, userName),
  passwordFile: { expects: 'a file with one line', parse: readPassword },
  register: onOff,
  countries: {
    expects: 'two-letter ISO 3166 codes in capitals, such as RU,KZ, or *',
    parse: parseCountries,
  },
  priority: integer(0, 1_000_000),
  calledPrefix: withWord(
    none,
    '',
    textThat((text) => /^[0-9*]{1,12}$/.test(text), 'up to 12 digits and stars'),
  ),
  calledFormat: oneOf(...numberFormats),
  callerFormat: oneOf(...numberFormats),
  callerIdHeader: oneOf(...callerIdHeaders),
  fromUser: withWord(none, null, userName),
  inboundFormat: oneOf(...numberFormats),
  identity: oneOf(...identities),
  returnPath: oneOf(...returnPathModes),
  allowRelay: onOff,
  srtp: onOff,
  test: onOff,
  ringSeconds: withWord('default', null, integer(1, 20)),
  countsEarlyMedia: onOff,
} satisfies Record<string, Parser<unknown>>

// A carrier may allow less than one call per second.
function parseRate(text: string): number | undefined {
  return /^\d{1,6}(\.\d{1,3})?$/.test(text) && Number(text) > 0 ? Number(text) : undefined
}

function parseCountries(text: string): readonly string[] | undefined {
  if (text === anyCountry) return [anyCountry]
  return text === '' ? undefined : listOf(textThat(isCountryCode, 'a country code')).parse(text)
}

function isHostAndPort(text: string): boolean {
  return /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[1-9]\d{0,4})?$/.test(text)
}

// No content of the file gets into an error message.
function readPassword(path: string): string | undefined {
  try {
    const password = readFileSync(path, 'utf8').trim()
    return password !== '' && !/[\r\n]/.test(password) ? password : undefined
  } catch {
    return undefined
  }
}
