// The Verify API, /v2: what is sent and returned. Every object is closed. Unlike /v1.0, a field that is not listed here is refused
// in a request, too: a misspelt `checks` must not pass.

import { type Static, type TSchema, Type } from 'typebox'
import { checksDefault, ttlSecondsMax } from '../limits.ts'
import { ladderReasons, ladderStates, promptLanguages, verificationModes } from '../lists/calls.ts'

const closed = { additionalProperties: false } as const
const text = (maxLength: number) => Type.String({ maxLength })
const optional = Type.Optional

export const VerificationId = Type.String({ pattern: '^ver_[0-9a-hjkmnp-tv-z]{11}$', examples: ['ver_03zq8x1m4ck'] })

export const Phone = Type.String({
  pattern: '^\\+?[1-9][0-9]{6,14}$',
  description: 'E.164; the plus may be left out.',
  examples: ['+79001234567'],
})

export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-18T17:20:05.123Z'] })

const Channel = Type.Enum(verificationModes)

export const Status = Type.Enum(ladderStates)

export const FailReason = Type.Enum(ladderReasons)

export const Money = Type.Object(
  { amount: Type.String({ pattern: '^[0-9]+\\.[0-9]{2,6}$', examples: ['0.80'] }), currency: Type.String() },
  closed,
)

export const StartVerification = Type.Object(
  {
    phone: Phone,
    channels: optional(
      Type.Union(
        [
          Type.Literal('auto'),
          Type.Array(Channel, { minItems: 1, maxItems: verificationModes.length, uniqueItems: true }),
        ],
        {
          description: 'First channel first. `auto`: those that the service and the country have, cheapest first.',
          default: 'auto',
        },
      ),
    ),
    locale: optional(Type.Enum(promptLanguages, { description: 'Of a spoken code. Default: that of the service.' })),
    ttl_seconds: optional(Type.Integer({ minimum: 60, maximum: ttlSecondsMax, default: ttlSecondsMax })),
    checks: optional(Type.Integer({ minimum: 1, maximum: 5, default: checksDefault })),
    silence_seconds: optional(
      Type.Union([Type.Integer({ minimum: 20, maximum: 300 }), Type.Null()], {
        default: null,
        description: 'After a call that rang: when the next channel starts by itself. null: only when somebody asks.',
      }),
    ),
    reference: optional(
      Type.String({ maxLength: 64, description: 'Your session or user; returned, never shown to the user.' }),
    ),
    metadata: optional(
      Type.Record(Type.String({ pattern: '^[a-z0-9_]{1,40}$' }), text(200), { ...closed, maxProperties: 10 }),
    ),
  },
  closed,
)

export const CheckCode = Type.Object(
  {
    code: Type.String({
      pattern: '^[0-9]{4,8}$',
      description: 'Digits only. Always a text, so that leading zeros stay.',
    }),
  },
  closed,
)

export const NextCall = Type.Object(
  {
    after_calls: Type.Integer({
      minimum: 1,
      maximum: 5,
      description: 'How many calls the client has seen: the length of `calls`.',
    }),
    channel: optional(Channel),
  },
  closed,
)

export const Call = Type.Object(
  {
    channel: Channel,
    status: Type.Enum(['starting', 'dialling', 'ringing', 'reached', 'failed', 'waiting']),
    reason: optional(Type.String({ description: 'The outcome of the call, such as `not-answered`.' })),
    started_at: Timestamp,
    ended_at: optional(Timestamp),
    confirmation_number: optional(
      Type.Object(
        {
          e164: Type.String({ examples: ['+74950001122'] }),
          national: Type.String({ examples: ['8 (495) 000-11-22'] }),
          uri: Type.String({ examples: ['tel:+74950001122'] }),
          expires_at: Timestamp,
        },
        { ...closed, description: 'Of an inbound call: the number to call.' },
      ),
    ),
    cost: optional(Money),
  },
  closed,
)

// In both views.
const shared = {
  id: VerificationId,
  object: Type.Literal('verification'),
  status: Status,
  reason: optional(FailReason),
  phone: Type.String({ description: 'Masked.', examples: ['+7900***4567'] }),
  locale: Type.String(),
  code_length: Type.Integer({ description: '0: nothing to type, because all channels are inbound.' }),
  checks_left: Type.Integer(),
  calls: Type.Array(Call),
  channels_left: Type.Array(Channel),
  next_call_at: optional(Timestamp),
  created_at: Timestamp,
  expires_at: Timestamp,
}

export const PublicVerification = Type.Object(shared, { ...closed, description: 'What a client token may see.' })

export const Verification = Type.Object(
  {
    ...shared,
    country: optional(Type.String({ examples: ['RU'] })),
    provider: optional(Type.String({ description: 'Who serves the number, if known.' })),
    ended_at: optional(Timestamp),
    approved_by: optional(Type.Enum(['code', 'call'])),
    is_test: Type.Boolean(),
    cost: Money,
    reference: optional(Type.String()),
    metadata: Type.Record(Type.String(), Type.String()),
    skipped: optional(
      Type.Array(Type.Object({ channel: Channel, code: Type.String() }, closed), {
        description: 'Channels that were not used, and why.',
      }),
    ),
    test: optional(
      Type.Object(
        { code: optional(Type.String({ description: 'Only of a test number or a virtual phone.' })) },
        closed,
      ),
    ),
  },
  { ...closed, description: 'What a service key may see. It never has the code, except `test.code` of a test.' },
)

export const StartedVerification = Type.Object(
  {
    verification: Verification,
    client_token: Type.String({
      pattern: '^ct_[A-Za-z0-9_-]{40}$',
      description: 'For the browser or the app of this user.',
    }),
  },
  { ...closed, description: 'The verification, with what is returned only here.' },
)

export const VerificationList = Type.Object({ data: Type.Array(Verification), has_more: Type.Boolean() }, closed)

// A component that another one contains is a reference in the OpenAPI document.
export const verifySchemas = {
  VerificationId,
  Phone,
  Timestamp,
  Channel,
  Status,
  FailReason,
  Money,
  StartVerification,
  Call,
  PublicVerification,
  Verification,
  StartedVerification,
} as const satisfies Readonly<Record<string, TSchema>>

export type StartVerification = Static<typeof StartVerification>
export type CheckCode = Static<typeof CheckCode>
export type NextCall = Static<typeof NextCall>
export type Call = Static<typeof Call>
export type PublicVerification = Static<typeof PublicVerification>
export type Verification = Static<typeof Verification>
export type StartedVerification = Static<typeof StartedVerification>
export type VerificationList = Static<typeof VerificationList>
