// The options of a trunk. Its type, its defaults, the command line, the form of the console, the columns of the database and
// docs/reference/trunk-options.md follow from this table.

import { callerIdHeaders, inboundIdentities, numberFormats, returnPathModes, sipTransports } from './trunks.ts'

export type TrunkOption = {
  readonly column: string
  // How the command line calls it, if not by its name.
  readonly flag?: string
  // The command line adds no trunk without it.
  readonly isRequired?: true
  // Where the console changes it.
  readonly form: 'connection' | 'limits' | 'none'
  // Who gets its value, beside ourselves.
  readonly readBy: readonly ('asterisk' | 'edge')[]
  // A word of the command line, and what it stands for.
  readonly absent?: { readonly word: string; readonly value: null | '' }
  readonly help: string
} & (
  | { readonly kind: 'whole'; readonly min: number; readonly max: number; readonly default: number | null }
  | { readonly kind: 'rate'; readonly max: number; readonly default: number }
  // `shape` stands for a value in help.
  | {
      readonly kind: 'text'
      readonly pattern: RegExp
      readonly shape: string
      readonly expects: string
      readonly default: string | null
    }
  | { readonly kind: 'choice'; readonly of: readonly string[]; readonly default: string }
  | { readonly kind: 'countries'; readonly default: readonly string[] }
  | { readonly kind: 'switch'; readonly default: boolean }
)

const sipUser = {
  kind: 'text',
  pattern: /^[A-Za-z0-9_.+-]{1,64}$/,
  shape: 'name',
  expects: '1 to 64 letters, digits and . _ + -',
  absent: { word: 'none', value: null },
  default: null,
} as const
const numberFormat = { kind: 'choice', of: numberFormats } as const
const formats = 'e164-no-plus (7…), e164 (+7…), ru-8 (8…) or ru-10 (ten digits)'

export const trunkOptions = {
  channels: {
    kind: 'whole',
    min: 1,
    max: 1_000_000,
    // Until the operator knows what the carrier sells.
    default: 30,
    isRequired: true,
    column: 'channels',
    form: 'limits',
    readBy: [],
    help: 'concurrent calls, over all nodes',
  },
  callsPerSecond: {
    kind: 'rate',
    max: 1_000_000,
    default: 5,
    isRequired: true,
    column: 'calls_per_second',
    form: 'limits',
    readBy: [],
    help: 'new calls per second, over all nodes',
  },
  address: {
    kind: 'text',
    pattern: /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[1-9]\d{0,4})?$/,
    shape: 'host[:port]',
    expects: 'a host with an optional port, such as sip.example.org:5060',
    // A scripted network.
    default: '',
    column: 'address',
    form: 'connection',
    readBy: ['asterisk', 'edge'],
    help: 'SIP address of the carrier',
  },
  transport: {
    kind: 'choice',
    of: sipTransports,
    default: 'udp',
    column: 'transport',
    form: 'connection',
    readBy: ['asterisk', 'edge'],
    help: 'SIP transport',
  },
  user: {
    ...sipUser,
    column: 'sip_user',
    form: 'connection',
    readBy: ['asterisk', 'edge'],
    help: 'SIP user name, or none if the carrier authenticates us by IP address',
  },
  outboundRegistration: {
    kind: 'switch',
    default: false,
    flag: 'register',
    column: 'outbound_registration',
    form: 'connection',
    readBy: ['asterisk'],
    help: 'send SIP REGISTER to the carrier',
  },
  countries: {
    kind: 'countries',
    default: ['*'],
    column: 'countries',
    form: 'none',
    readBy: [],
    help: 'countries to call over this trunk, such as RU,KZ, or * for all',
  },
  priority: {
    kind: 'whole',
    min: 0,
    max: 1_000_000,
    default: 100,
    column: 'priority',
    form: 'none',
    readBy: [],
    help: 'trunks are tried from the lowest to the highest priority number',
  },
  // Dialled before every number.
  calledPrefix: {
    kind: 'text',
    pattern: /^[0-9*]{1,12}$/,
    shape: 'digits',
    expects: 'up to 12 digits and stars',
    absent: { word: 'none', value: '' },
    default: '',
    column: 'called_prefix',
    form: 'none',
    readBy: ['asterisk', 'edge'],
    help: 'prefix for every dialled number, or none',
  },
  callerFormat: {
    ...numberFormat,
    default: 'e164-no-plus',
    column: 'caller_format',
    form: 'connection',
    readBy: ['asterisk', 'edge'],
    help: `format of the caller ID: ${formats}`,
  },
  calledFormat: {
    ...numberFormat,
    default: 'e164-no-plus',
    column: 'called_format',
    form: 'connection',
    readBy: ['asterisk', 'edge'],
    help: 'format of dialled numbers, see --caller-format',
  },
  callerIdHeader: {
    kind: 'choice',
    of: callerIdHeaders,
    default: 'pai',
    column: 'caller_id_header',
    form: 'connection',
    readBy: ['asterisk', 'edge'],
    help: 'header with the caller ID: From only, or also P-Asserted-Identity or Remote-Party-ID',
  },
  // For carriers that want their customer's user name in From.
  fromUser: {
    ...sipUser,
    column: 'from_user',
    form: 'none',
    readBy: ['asterisk', 'edge'],
    help: 'user part of From instead of the caller ID, or none',
  },
  inboundFormat: {
    ...numberFormat,
    default: 'e164',
    column: 'inbound_format',
    form: 'none',
    readBy: [],
    help: 'format of the caller ID on inbound calls, see --caller-format',
  },
  // From only is for a carrier that verifies From and passes other headers on unchecked.
  identity: {
    kind: 'choice',
    of: inboundIdentities,
    default: 'pai',
    column: 'identity',
    form: 'none',
    readBy: [],
    help: 'header that identifies inbound callers: P-Asserted-Identity (From if absent), or From only',
  },
  returnPath: {
    kind: 'choice',
    of: returnPathModes,
    default: 'record',
    column: 'return_path',
    form: 'none',
    readBy: [],
    help: 'enforce: inbound calls over UDP verify only after an ACK to our reply; record: count only, and switch to enforce automatically',
  },
  // A relay can be made to show our reply to a stranger.
  allowsRelay: {
    kind: 'switch',
    default: false,
    flag: 'allow-relay',
    column: 'allows_relay',
    form: 'none',
    readBy: ['edge'],
    help: 'accept inbound calls over UDP through a relay (several Via headers); such calls can be forged',
  },
  srtp: {
    kind: 'switch',
    default: false,
    column: 'srtp',
    form: 'none',
    readBy: ['asterisk'],
    help: 'encrypt the audio with SRTP; needs --transport tls and a carrier that offers SDES',
  },
  isTest: {
    kind: 'switch',
    default: false,
    flag: 'test',
    column: 'is_test',
    form: 'none',
    readBy: [],
    help: 'lead calls of test services to virtual phones over this trunk, and nothing else',
  },
  ringSeconds: {
    kind: 'whole',
    min: 1,
    max: 20,
    absent: { word: 'default', value: null },
    // That of the installation.
    default: null,
    column: 'ring_seconds',
    form: 'connection',
    readBy: ['edge'],
    help: 'ring time of a flash call in seconds, or default',
  },
  countsEarlyMedia: {
    kind: 'switch',
    default: false,
    column: 'counts_early_media',
    form: 'none',
    readBy: ['edge'],
    help: 'count early media (183) as ringing',
  },
} as const satisfies Readonly<Record<string, TrunkOption>>

type Options = typeof trunkOptions
export type TrunkOptionName = keyof Options

// The values of a trunk.
export type TrunkOptionValues = { readonly [Name in TrunkOptionName]: ValueOf<Options[Name]> }

type ValueOf<Option> =
  | (Option extends { readonly kind: 'choice'; readonly of: readonly (infer Word)[] } ? Word : never)
  | (Option extends { readonly kind: 'whole' | 'rate' } ? number : never)
  | (Option extends { readonly kind: 'text' } ? string : never)
  | (Option extends { readonly kind: 'switch' } ? boolean : never)
  | (Option extends { readonly kind: 'countries' } ? readonly string[] : never)
  | (Option extends { readonly absent: { readonly value: null } } ? null : never)

// Those that a form of the console changes.
export type TrunkOptionsIn<Form extends TrunkOption['form']> = {
  [Name in TrunkOptionName]: Options[Name]['form'] extends Form ? Name : never
}[TrunkOptionName]

export const trunkOptionNames = Object.keys(trunkOptions) as readonly TrunkOptionName[]

export function optionsIn<Form extends TrunkOption['form']>(form: Form): readonly TrunkOptionsIn<Form>[] {
  return trunkOptionNames.filter((name): name is TrunkOptionsIn<Form> => trunkOptions[name].form === form)
}
