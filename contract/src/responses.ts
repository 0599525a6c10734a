// The response of each method, field by field. Every object is closed: a field that is not listed here is never sent.

import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const

const time = (description: string) => Type.Integer({ minimum: 0, description: `${description}, Unix time in seconds.` })
const amount = (description: string) =>
  Type.Number({ description: `${description}, in the currency of the installation.` })
const success = Type.Literal(true, { description: 'The request succeeded.' })
const vendorId = Type.Integer({ minimum: 1, description: 'Identifier of the verification; `uid` in requests.' })
const mask = Type.String({ description: 'The number, masked.' })
const fourDigits = Type.String({ pattern: '^[0-9]{4}$', description: 'The code, leading zeros kept.' })

export const Refused = Type.Object(
  {
    status: Type.Literal(false, { description: 'The request was refused.' }),
    error: Type.String({ description: 'What is wrong, in one sentence for people.' }),
    code: Type.Integer({ description: 'Error code for programs. See the list of errors.' }),
  },
  { ...closed, description: 'A refusal.' },
)

const initCall = Type.Object(
  {
    status: success,
    vendor_id: vendorId,
    phone: mask,
    code: fourDigits,
    client: Type.String({ description: 'As passed; empty when nothing was.' }),
    unique_request_id: Type.Optional(Type.String({ description: '`unique`, if it was passed.' })),
    exists: Type.Optional(Type.Boolean({ description: 'Whether the key was used before.' })),
  },
  closed,
)

const getInfo = Type.Object(
  {
    status: success,
    vendor_id: vendorId,
    init_time: time('When the verification was started'),
    call_status: Type.Enum([-1, 0, 1], { description: '-1 in progress, 0 not completed, 1 succeeded.' }),
    is_repeated: Type.Boolean({ deprecated: true, description: 'Whether this verification is a free repeat.' }),
    first_vendor_id: Type.Optional(
      Type.Integer({ deprecated: true, description: 'The verification that this one repeats. Only in a repeat.' }),
    ),
    repeatable: Type.Boolean({ deprecated: true, description: 'Whether a free repeat is still possible.' }),
    repeat_times: Type.Optional(
      Type.Integer({ deprecated: true, description: 'Free repeats left. Only if `repeatable` is true.' }),
    ),
    repeated_vendor_ids: Type.Optional(
      Type.Array(Type.Integer(), {
        deprecated: true,
        description: 'Repeats of this verification. Only if there are any.',
      }),
    ),
    unique: Type.Optional(Type.String({ description: 'The idempotency key, if one was passed.' })),
    client: Type.String({ description: 'As passed; empty when nothing was.' }),
    phone: mask,
    code: Type.Optional(
      Type.String({ pattern: '^[0-9]{4}$', description: 'The code, leading zeros kept. Absent for an inbound call.' }),
    ),
    country_code: Type.String({ description: 'ISO 3166-1 alpha-2 country of the number.' }),
    phone_info: Type.Array(
      Type.Object(
        {
          operator: Type.Optional(Type.String({ description: 'Operator in the numbering registry.' })),
          region: Type.Optional(Type.String({ description: 'Region in Russia.' })),
          mnp: Type.Optional(Type.String({ description: 'Operator the number was ported to.' })),
        },
        closed,
      ),
      { description: 'One object, or none if nothing is known.' },
    ),
    cost: amount('What it costs'),
    balance: amount('The balance before it was charged'),
  },
  closed,
)

const initRepeat = Type.Object(
  { ...initCall.properties, free_repeated: Type.Boolean({ description: 'Whether the free repeat was started.' }) },
  { ...closed, deprecated: true },
)

const inboundCallWaiting = Type.Object(
  {
    status: success,
    vendor_id: vendorId,
    phone: mask,
    confirmation_number: Type.String({ pattern: '^[0-9]{7,15}$', description: 'The number for the user to call.' }),
  },
  closed,
)

// Always the whole record: an unknown text is empty, an unknown number 0. Public clients declare every field as required.
const checkPhone = Type.Object(
  {
    source: Type.String({ description: 'As passed.' }),
    error: Type.Optional(
      Type.String({ description: 'Why this is not a phone number; nothing was charged. Absent for a valid number.' }),
    ),
    mobile: Type.Enum([0, 1], { description: '1 for a mobile number, 0 for any other.' }),
    phone: Type.Integer({ description: 'The number in E.164 digits.' }),
    country_iso: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
    country_code: Type.Integer({ description: 'Country calling code.' }),
    mnc: Type.Integer({ description: 'Mobile network code; 0 if unknown.' }),
    number: Type.Integer({ description: 'The number without the country code.' }),
    provider: Type.String({ description: 'Operator; empty if unknown.' }),
    company: Type.String({ description: 'Organisation of the operator; Russia only.' }),
    country: Type.String({ description: 'Name of the country.' }),
    region: Type.String({ description: 'Region; Russia only.' }),
    city: Type.String({ description: 'City; Russia only, empty where the range belongs to a whole region.' }),
    phone_format: Type.String({ description: 'The number in national format.' }),
    cost: amount('Price of the lookup'),
    balance: amount('The balance after it was charged'),
  },
  closed,
)

const getAccount = Type.Object(
  {
    id: Type.Integer({ description: 'Account ID.' }),
    telegram_id: Type.Integer({ description: 'The connected Telegram account; 0 if none.' }),
    two_auth: Type.Boolean({ description: 'Whether two-factor sign-in is on.' }),
    email: Type.String({ description: 'E-mail of the owner.' }),
    logs: Type.Array(
      Type.Object(
        {
          action: Type.String({ description: 'What was done.' }),
          user_agent: Type.String({ description: 'The browser or program that did it.' }),
          ip: Type.String({ description: 'The IP address it was done from.' }),
          created: time('When it was done'),
        },
        closed,
      ),
      { maxItems: 50, description: 'Logged actions on the account, newest first.' },
    ),
    updated: time('Last activity'),
    created: time('When the account was created'),
  },
  closed,
)

const getService = Type.Object(
  {
    status: success,
    service_status: Type.Integer({ description: 'Service ID.' }),
    name: Type.String({ description: 'Name of the service.' }),
    creation_time: time('When the service was created'),
    last_request: time('When it last started or looked up something; 0 for never'),
    owner: Type.String({ description: 'E-mail of the owner.' }),
    use_direction: Type.String({ description: 'Where the service is used.' }),
  },
  closed,
)

const getBalance = Type.Object(
  {
    status: success,
    rub_balance: amount('What can be spent'),
    tariff: Type.String({ description: 'Code of the tariff.' }),
    tariff_name: Type.String({ description: 'Name of the tariff.' }),
  },
  closed,
)

export const responses = {
  initCall,
  getInfo,
  initRepeat,
  inboundCallWaiting,
  checkPhone,
  getAccount,
  getService,
  getBalance,
}
export type ApiResponse<M extends keyof typeof responses> = Static<(typeof responses)[M]>

export const Root = Type.Object(
  {
    status: success,
    name: Type.String({ description: 'Name of the product.' }),
    version: Type.String({ description: 'Version of this installation.' }),
    docs: Type.String({ description: 'URL of this reference.' }),
  },
  closed,
)

export const Health = Type.Object(
  {
    status: Type.Boolean({ description: 'Whether requests are served.' }),
    database: Type.Boolean({ description: 'Whether the database responds.' }),
    providers: Type.Boolean({ description: 'Whether calls can be placed.' }),
  },
  closed,
)
