// Values for method parameters: valid by the contract's schemas, and hostile. Whether a value is valid is not taken
// from the server or its schemas: `isValid` states it independently, parameter by parameter.

import type { Method } from '@ringproof/contract/methods.ts'
import fc from 'fast-check'
import type { TSchema } from 'typebox'

// JSON has types; in a query or a form everything is text, and a repeated field is a list.
export type Kind = 'json' | 'text'

// A number written differently than JavaScript would write it.
export type RawJson = { readonly rawJson: string }

export function isRawJson(value: unknown): value is RawJson {
  return typeof value === 'object' && value !== null && 'rawJson' in value
}

// Values that match the schema. An unknown kind of schema throws, or it would go untested.
export function fitting(schema: TSchema): fc.Arbitrary<unknown> {
  const { anyOf, enum: words, const: literal, type, minimum, maximum } = schema as Shape
  if (anyOf) return fc.oneof(...anyOf.map(fitting))
  if (words) return fc.constantFrom(...words)
  if (literal !== undefined) return fc.constant(literal)
  if (type === 'boolean') return fc.boolean()
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true })
  if (type === 'integer' && minimum !== undefined && maximum !== undefined) {
    return fc.integer({ min: minimum, max: maximum })
  }
  if (type === 'string') return fittingText(schema)
  throw new Error(`the fuzzer has no values for ${JSON.stringify(schema)}`)
}

type Shape = {
  readonly anyOf?: readonly TSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

function fittingText({ pattern, minLength = 0, maxLength }: Shape): fc.Arbitrary<string> {
  if (maxLength !== undefined) {
    const text = fc.string({ unit: 'binary', minLength, maxLength, size: 'medium' })
    const longest = fc.string({ unit: 'binary', minLength: maxLength, maxLength, size: 'max' })
    const texts = maxLength > 256 ? text : fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: longest })
    return pattern === undefined ? texts : texts.filter((one) => new RegExp(pattern).test(one))
  }
  if (pattern === undefined) throw new Error('a string of the contract has a pattern or a maximum length')
  // fast-check does not support lookahead, so values are generated without it and filtered.
  const withoutLookahead = new RegExp(pattern.replaceAll(/\(\?!.*?\)/g, ''))
  return fc.stringMatching(withoutLookahead).filter((text) => new RegExp(pattern).test(text))
}

const webUrl = fc
  .tuple(fc.webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true, withFragments: true }), fc.nat(9))
  .map(([url, luck]) => (luck === 0 ? `https://example.org/${'a'.repeat(2028)}` : url))

// Valid values of a parameter. A value that matches its schema is not always valid, so `isValid` filters.
export function goodValue(method: Method, name: string, schema: TSchema, kind: Kind): fc.Arbitrary<unknown> {
  const values = fittingOf(name, schema)
  return values.filter((value) => isValid(method, name, value, kind))
}

function fittingOf(name: string, schema: TSchema): fc.Arbitrary<unknown> {
  if (name === 'callback_url') return webUrl
  // The numbering plan refuses most numbers; test numbers are accepted.
  return name === 'phone' ? fc.oneof(fc.constantFrom('79000000001', '+79000000002'), fitting(schema)) : fitting(schema)
}

const hostileTexts = [
  [
    '',
    ' ',
    '\u0000',
    '\u007f',
    '\u0085',
    '\ufeff',
    '\u202e',
    '\ud800',
    'x\udfff',
    '\ud83d\ud83d',
    "'",
    '"',
    '\\',
    '%',
    '%00',
  ],
  [
    '79000000001\n',
    ' 79000000001',
    '++79000000001',
    '7900 000 00 01',
    '+79000000001',
    '٧٩٠٠٠٠٠٠٠٠١',
    '７９０００００００００１',
  ],
  [
    '\ufeff79000000001',
    '079000000001',
    '123456',
    '1234567',
    '123456789012345',
    '1234567890123456',
    '+',
    '-79000000001',
  ],
  ['0', '-1', '1e3', '1.0', '007', '0x1F', '1_000', '9007199254740991', '9007199254740992', '9007199254740993'],
  ['0000', '00', '0001', '1', '10000', '12a4', '١٢٣٤', '99999', '-001', '+123', '12.4'],
  ['true', 'True', 'TRUE', 'true ', 'yes', 'on', '2', 'false', 'False', 'no', 'null', 'undefined', 'NaN', 'Infinity'],
  ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '[object Object]', '{}', '[]', "' OR 1=1 --", '{{7*7}}'],
  [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://example.org/',
    'http://',
    'http:',
    'example.org',
    '//example.org',
  ],
  ['http://user@example.org/', 'http://user:word@example.org/', 'https://:word@example.org/', 'http://exa mple.org'],
  ['http://[::1', 'http://example.org:99999/', 'HTTPS://EXAMPLE.ORG', ' http://example.org', 'http://example.org\n'],
  ['x'.repeat(64), 'x'.repeat(65), '😀'.repeat(64), '😀'.repeat(65), 'e\u0301'.repeat(40), '\ud800'.repeat(65)],
  ['x'.repeat(256), 'x'.repeat(257), '9'.repeat(257), `https://example.org/${'a'.repeat(2029)}`, 'x'.repeat(9000)],
].flat()

const hostileTokens = [
  '1e400',
  '-1e400',
  '1.0',
  '7.9e10',
  '7.9000000001e10',
  '-0',
  '0.1',
  '12345678901234567890',
  '1e-7',
].map((rawJson): RawJson => ({ rawJson }))

const nested = fc.integer({ min: 1, max: 3000 }).map((depth): RawJson => {
  return { rawJson: `${'['.repeat(depth)}${']'.repeat(depth)}` }
})

const hostileText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' }), fc.string())

// Anything that could be sent for a parameter; valid now and then, which `isValid` reports.
export function hostileValue(kind: Kind): fc.Arbitrary<unknown> {
  if (kind === 'text') return fc.oneof(hostileText, hostileText, fc.array(hostileText, { minLength: 2, maxLength: 4 }))
  return fc.oneof(
    hostileText,
    hostileText,
    fc.constantFrom<unknown>(...hostileTokens),
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      {},
      [null],
      [79000000001],
      { phone: '79000000001' },
      0,
      1,
      2,
      -1,
      0.5,
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.jsonValue({ maxDepth: 3 }),
    nested,
  )
}

// From the documented rules, not from the schemas. Absent values are not covered.
export function isValid(method: Method, name: string, sent: unknown, kind: Kind): boolean {
  const value: unknown = isRawJson(sent) ? JSON.parse(sent.rawJson) : sent
  const isNumber = kind === 'json' && Number.isFinite(value)
  if (typeof value !== 'string' && !isNumber && typeof value !== 'boolean') return false
  const text = String(value)
  switch (name) {
    case 'phone':
      if (typeof value === 'boolean') return false
      return method === 'checkPhone' ? isNumber || [...text].length <= 256 : isPhone(text)
    case 'code':
      if (isNumber) return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 9999
      return (
        consistsOf(text, '0123456789') &&
        Number(text) > 0 &&
        (text.length === 4 || (kind === 'text' && text.length < 4))
      )
    case 'client':
      return isNumber || (typeof value === 'string' && [...text].length <= 64)
    case 'unique':
      return isNumber || (typeof value === 'string' && isUnique([...text]))
    case 'voice':
    case 'mix':
      return ['true', 'false', '1', '0', ...(typeof value === 'string' ? ['True', 'False'] : [])].includes(text)
    case 'uid':
      return typeof value !== 'boolean' && isUid(text)
    case 'callback_url':
      return typeof value === 'string' && [...text].length <= 2048 && isPlainWebUrl(text)
    default:
      throw new Error(`the fuzzer does not know the parameter ${name}`)
  }
}

function isPhone(text: string): boolean {
  const digits = text.startsWith('+') ? text.slice(1) : text
  return consistsOf(digits, '0123456789') && !digits.startsWith('0') && digits.length >= 7 && digits.length <= 15
}

function isUid(text: string): boolean {
  return consistsOf(text, '0123456789') && !text.startsWith('0') && text.length < 30 && BigInt(text) < 2n ** 53n
}

function isUnique(characters: readonly string[]): boolean {
  const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code < 0xa0)
  if (characters.length < 1 || characters.length > 64) return false
  return !characters.some((character) => isControl(character.codePointAt(0) ?? 0))
}

// IP addresses are not fuzzed here, only names.
function isPlainWebUrl(text: string): boolean {
  const isForgiven = (character: string) => character === '\\' || character.trim() === '' || character < ' '
  if ([...text].some((character) => isForgiven(character) || (character >= '\u007f' && character < '\u00a0')))
    return false
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}

function consistsOf(text: string, characters: string): boolean {
  return text !== '' && [...text].every((character) => characters.includes(character))
}
