// The parameters of each method. A parameter has two schemas: JSON, where values have types, and query or form, where
// everything is text. Validation, types and OpenAPI all come from here. `expects` is used in the error for a wrong value.

import { type TSchema, Type } from 'typebox'
import type { Sentences } from './errors.ts'

export type Parameter = { readonly json: TSchema; readonly text: TSchema; readonly expects: Sentences }

const trueWords = ['true', 'True', '1'] as const
const falseWords = ['false', 'False', '0'] as const

export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (trueWords as readonly unknown[]).includes(value)
}

const digits = Type.String({ pattern: '^\\+?[1-9][0-9]{6,14}$' })

const phone: Parameter = {
  json: Type.Union([Type.Integer({ minimum: 1_000_000, maximum: 999_999_999_999_999 }), digits], {
    description: 'The phone number, digits only, with its country code.',
  }),
  text: Type.String({ ...digits, description: 'The phone number, digits only, with its country code.' }),
  expects: {
    en: 'it takes 7 to 15 digits with the country code',
    ru: 'нужно от 7 до 15 цифр с кодом страны',
  },
}

const anyPhone: Parameter = {
  json: Type.Union([Type.String({ maxLength: 256 }), Type.Number()], {
    description: 'A phone number as people write it.',
  }),
  text: Type.String({ maxLength: 256, description: 'A phone number as people write it.' }),
  expects: { en: 'it takes a text of at most 256 characters', ru: 'нужен текст не длиннее 256 символов' },
}

const code: Parameter = {
  json: Type.Union([Type.String({ pattern: '^(?!0000)[0-9]{4}$' }), Type.Integer({ minimum: 1, maximum: 9999 })], {
    description: 'The code: the last four digits of the caller ID. Chosen by the service if absent.',
  }),
  text: Type.String({
    pattern: '^(?!0+$)[0-9]{1,4}$',
    description: 'The code: the last four digits of the caller ID. Chosen by the service if absent.',
  }),
  expects: { en: 'it takes four digits from 0001 to 9999', ru: 'нужны четыре цифры от 0001 до 9999' },
}

const client: Parameter = {
  json: Type.Union([Type.String({ maxLength: 64 }), Type.Number()], {
    description: 'Your reference to the user; returned with the verification.',
  }),
  text: Type.String({ maxLength: 64, description: 'Your reference to the user; returned with the verification.' }),
  expects: { en: 'it takes a text of at most 64 characters', ru: 'нужен текст не длиннее 64 символов' },
}

const uniqueText = { minLength: 1, maxLength: 64, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' }

const unique: Parameter = {
  json: Type.Union([Type.String(uniqueText), Type.Number()], {
    description: 'Idempotency key, ideally a UUID v4: the same key returns the same verification and is charged once.',
  }),
  text: Type.String({
    ...uniqueText,
    description: 'Idempotency key, ideally a UUID v4: the same key returns the same verification and is charged once.',
  }),
  expects: {
    en: 'it takes 1 to 64 characters, none of them a control character',
    ru: 'нужно от 1 до 64 символов без управляющих',
  },
}

const voice = flag('Speak the code. Russia and Kazakhstan only.')
const mix = flag('Speak the code and show it in the caller ID. Russia only.')

const uid: Parameter = {
  json: Type.Union(
    [Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.String({ pattern: '^[1-9][0-9]{0,15}$' })],
    { description: 'The vendor_id of the verification.' },
  ),
  text: Type.String({
    pattern: '^[1-9][0-9]{0,15}$',
    description: 'The vendor_id of the verification.',
  }),
  expects: {
    en: 'it takes a whole number from 1 to 9007199254740991, in plain digits',
    ru: 'нужно целое число от 1 до 9007199254740991, просто цифрами',
  },
}

const callbackUrl: Parameter = {
  json: Type.String({ maxLength: 2048, description: 'The http or https URL that receives the webhook.' }),
  text: Type.String({ maxLength: 2048, description: 'The http or https URL that receives the webhook.' }),
  expects: {
    en: 'it takes an http or https URL of at most 2048 characters, without user or password, at a public address, on port 80, 443, 8080 or 8443',
    ru: 'нужен URL http или https не длиннее 2048 символов, без имени и пароля, с публичным адресом, на порту 80, 443, 8080 или 8443',
  },
}

function flag(description: string): Parameter {
  const words = [...trueWords, ...falseWords]
  return {
    json: Type.Union([Type.Boolean(), Type.Literal(0), Type.Literal(1), Type.Enum(words)], { description }),
    text: Type.Enum(words, { description }),
    expects: { en: 'it takes true or false', ru: 'нужно true или false' },
  }
}

export type MethodParameters = {
  readonly required: Readonly<Record<string, Parameter>>
  readonly optional: Readonly<Record<string, Parameter>>
}

export const methodParameters = {
  initCall: { required: { phone }, optional: { code, client, unique, voice, mix } },
  getInfo: { required: { uid }, optional: {} },
  initRepeat: { required: { uid }, optional: {} },
  inboundCallWaiting: { required: { phone, callback_url: callbackUrl }, optional: {} },
  checkPhone: { required: { phone: anyPhone }, optional: {} },
  getAccount: { required: {}, optional: {} },
  getService: { required: {}, optional: {} },
  getBalance: { required: {}, optional: {} },
} as const satisfies Record<string, MethodParameters>
