// Random requests to the methods, valid and invalid. A plan says how a request is built and names keys by placeholder,
// so that a seed gives the same plans in every run. `makeRequest` fills in the services of a run and adds the expected
// outcome.

import type { RefusalName } from '@ringproof/contract/errors.ts'
import { type Method, methods } from '@ringproof/contract/methods.ts'
import { type MethodParameters, methodParameters } from '@ringproof/contract/parameters.ts'
import fc from 'fast-check'
import { goodValue, hostileValue, type Kind } from './values.ts'

export type Plan = {
  readonly method: Method
  readonly verb: string
  readonly path: { readonly text: string; readonly leads: 'here' | 'nowhere' | 'perhaps' | 'undecodable' }
  readonly carrier: Carrier
  readonly fields: readonly Field[]
  // Appended raw to the fields of a query or a form.
  readonly tail: string
  readonly sign: Sign
  readonly spoil: Spoil
  readonly headers: Readonly<Record<string, string>>
  // The query of a request other than GET, which must be ignored.
  readonly strayQuery: string
  // Bytes that overwrite others, at a fraction of the length; the meaning of the request is then unknown.
  readonly strikes: readonly { readonly at: number; readonly byte: number }[]
}

export type Carrier = 'query' | 'json' | 'form'
export type Field = { readonly name: string; readonly value: unknown }

// How a request presents a key, and of which service; `of` is undefined when it belongs to none. {key0} and {id0} are
// those of the first service, {key1} and {id1} those of the second.
export type Sign = { readonly header: Claim<string> | undefined; readonly fields: Claim<Readonly<Pair>> | undefined }
type Claim<T> = { readonly shows: T; readonly of: 0 | 1 | undefined }
type Pair = [key: unknown, serviceId: unknown]

export type Spoil =
  | { readonly how: 'none' | 'bom' | 'tooLarge' }
  | { readonly how: 'cut'; readonly at: number }
  | { readonly how: 'instead'; readonly text: string }
  | { readonly how: 'inserted'; readonly bytes: readonly number[] }
  | { readonly how: 'labelled'; readonly contentType: string | undefined; readonly reads: Reads }

// What may be read from a body: the fields, none of them, or an error.
export type Reads = { readonly fields?: true; readonly nothing?: true; readonly refused?: readonly RefusalName[] }

// --- Plans -----------------------------------------------------------------------------------------------------------

export function plans(method: Method): fc.Arbitrary<Plan> {
  const carried = (carrier: Carrier) => plansOf(method, carrier)
  return fc.oneof(
    { weight: 3, arbitrary: carried('query') },
    { weight: 3, arbitrary: carried('json') },
    { weight: 2, arbitrary: carried('form') },
  )
}

function plansOf(method: Method, carrier: Carrier): fc.Arbitrary<Plan> {
  return fc.record({
    method: fc.constant(method),
    verb: mostly(19, fc.constant(carrier === 'query' ? 'GET' : 'POST'), fc.constantFrom(...otherVerbs)),
    path: mostly(
      11,
      paths(method, 'here'),
      fc.oneof(...(['nowhere', 'perhaps', 'undecodable'] as const).map(leading(method))),
    ),
    carrier: fc.constant(carrier),
    fields: fields(method, carrier === 'json' ? 'json' : 'text'),
    tail: mostly(5, fc.constant(''), fc.constantFrom(...tails)),
    sign: signs,
    spoil: mostly(7, fc.constant<Spoil>({ how: 'none' }), carrier === 'json' ? jsonSpoils : formSpoils),
    headers: mostly(3, fc.constant({}), oddHeaders),
    strayQuery: mostly(
      9,
      fc.constant(''),
      fc.constantFrom('key={key1}&service_id={id1}', 'phone=1&phone=2', '%zz', 'uid=%'),
    ),
    strikes: mostly(
      19,
      fc.constant<Plan['strikes']>([]),
      fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) }), {
        minLength: 1,
        maxLength: 4,
      }),
    ),
  })
}

function mostly<T>(weight: number, usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

const otherVerbs = 'GET POST HEAD PUT PATCH DELETE OPTIONS TRACE QUERY PROPFIND PURGE M-SEARCH'.split(' ')

const leading = (method: Method) => (leads: Plan['path']['leads']) => paths(method, leads)

function paths(method: Method, leads: Plan['path']['leads']): fc.Arbitrary<Plan['path']> {
  const texts = {
    here: [`/v1.0/${method}`, `/v1.0/${method}`, `/v1.0/${method}/`, `//v1.0///${method}//`],
    nowhere: [
      [`/v1.0/${method}x`, `/v1.0/${method.toLowerCase()}`, `/v1/${method}`, `/V1.0/${method}`, `/v1.0/${method}/x`],
      ['/v1.0', '/v1.0/__proto__', `/v1.0/${method};x=1`, `/v1.0/${method}%00`, `/v1.0%2F${method}`],
      [`/v1.0/${method}%20`, '/%F0%9F%98%80', '/constructor', '/v1.0/hasOwnProperty', `/v1.0\\..\\x${method}`],
      [`/${'a/'.repeat(2000)}`],
    ].flat(),
    // Percent-encoded letters in a path may or may not be decoded.
    perhaps: [`/v1.0/%${(method.codePointAt(0) ?? 0).toString(16)}${method.slice(1)}`, `/%76%31.0/${method}`],
    undecodable: [`/v1.0/${method}%`, `/v1.0/%zz`, `/v1.0/${method}%C3%28`, '/%E0%80', `/%/v1.0/${method}`],
  }
  return fc.constantFrom(...texts[leads]).map((text) => ({ text, leads }))
}

const tails = '& &&& &= &% &%zz=1 &%C3%28=%C3%28 &=%E0%80 &a &; &%00=%00 &a[b]=1 &__proto__=1 &?&?'.split(' ')

export function parametersOf(method: Method): MethodParameters {
  return methodParameters[method]
}

function fields(method: Method, kind: Kind): fc.Arbitrary<readonly Field[]> {
  const { required, optional } = parametersOf(method)
  const absent = fc.constant(undefined)
  const sent = Object.entries({ ...optional, ...required }).map(([name, parameter]) => {
    const value = mostly(name in required ? 7 : 19, goodValue(method, name, parameter[kind], kind), hostileValue(kind))
    const field = value.map((one): Field => ({ name, value: one }))
    return name in required ? mostly(19, field, absent) : mostly(1, field, absent)
  })
  const extra = mostly<readonly Field[]>(
    4,
    fc.constant([]),
    fc.array(strangeFields(kind), { minLength: 1, maxLength: 5 }),
  )
  return fc.tuple(fc.tuple(...sent), extra).map(([ours, strange]) => {
    const own = ours.filter((field) => field !== undefined)
    const isOwn = (name: string) => name in required || name in optional
    return [...own, ...strange.filter(({ name }) => !isOwn(name))]
  })
}

const everyName = new Set([
  ...methods.flatMap((method) => Object.keys(parametersOf(method).required)),
  'key',
  'service_id',
])

function strangeFields(kind: Kind): fc.Arbitrary<Field> {
  const known = '__proto__|constructor|toString|hasOwnProperty||Phone|phone |phone[]|Key|service-id|😀'.split('|')
  const name = fc.oneof(
    fc.constantFrom(...known),
    fc.string({ unit: 'binary' }).filter((one) => !everyName.has(one)),
  )
  return fc.record({ name, value: hostileValue(kind) })
}

// --- Credentials -----------------------------------------------------------------------------------------------------

const goodHeader = fc
  .tuple(fc.constantFrom('Bearer ', 'bearer ', 'BEARER   '), fc.constantFrom<(0 | 1)[]>(0, 0, 1))
  .map(([scheme, of]): Claim<string> => ({ shows: `${scheme}{key${of}}.{id${of}}`, of }))

const badHeader = fc
  .oneof(
    fc.constantFrom(
      ...'Bearer {key1}.{id0}|Bearer {key0}.{id1}|Bearer {key0}|Bearer .{id0}|Bearer {key0}.|Bearer|Bearer .'.split(
        '|',
      ),
      ...'Basic {key0}.{id0}|{key0}.{id0}|Bearer{key0}.{id0}|Bearer {key0}.{id0}.|Bearer {key0}.{id0} x'.split('|'),
      ...'Bearer {key0}.0{id0}|Bearer {key0}.-{id0}|Bearer {key0}.{id0}.0|Bearer {key0}.{id0}e0'.split('|'),
      ...'Bearer {key0}x.{id0}|Bearer __proto__.{id0}|Bearer {key0}.99999999999999999999|Token {key0}'.split('|'),
      ...'Bearer {key0}.{id0}, Bearer {key1}.{id1}|Bearer \u00e9\u00ff.{id0}|Bearer {id0}.{key0}'.split('|'),
      `Bearer ${'A'.repeat(32)}.{id0}`,
      `Bearer ${'A'.repeat(9000)}.{id0}`,
      'Bearer {key0}.2147483648',
    ),
    fc.string(),
  )
  .map((shows): Claim<string> => ({ shows, of: undefined }))

const goodFields = fc
  .tuple(fc.constantFrom('{id}', '{id:number}'), fc.constantFrom<(0 | 1)[]>(0, 0, 1))
  .map(([id, of]): Claim<Pair> => ({ shows: [`{key${of}}`, id.replace('id', `id${of}`)], of }))

const badPairs: readonly Pair[] = [
  ...([
    ['{key1}', '{id0}'],
    ['{key0}', '{id1}'],
    ['{key0}', null],
    [null, '{id0}'],
    ['', '{id0}'],
    ['{key0}', ''],
  ] as Pair[]),
  ...([
    [['{key0}', '{key0}'], '{id0}'],
    ['{key0}', ['{id0}', '{id0}']],
    [{ a: '{key0}' }, '{id0}'],
  ] as Pair[]),
  ...(['0{id0}', ' {id0}', '{id0}.0', '{id0}e0', '-{id0}', '+{id0}', '٦٤', true, 1.5, -1, 0, 2 ** 31, 1e300].map(
    (id) => ['{key0}', id],
  ) as Pair[]),
  ...([
    ['{key0} ', '{id0}'],
    ['__proto__', '{id0}'],
    ['x'.repeat(9000), '{id0}'],
    ['\u0000', '{id0}'],
    [0, '{id0:number}'],
  ] as Pair[]),
]
const badFields = fc.constantFrom(...badPairs).map((shows): Claim<Pair> => ({ shows, of: undefined }))
// A partial claim that equals the header may or may not count as agreeing with it.
const badWhole = badFields.filter(({ shows }) => !shows.includes(null))

const none = fc.constant(undefined)
const signed = (header: fc.Arbitrary<Sign['header']>, inFields: fc.Arbitrary<Sign['fields']>) =>
  fc.record({ header, fields: inFields })
const twice = fc.constantFrom<(0 | 1)[]>(0, 1).map((of): Sign => {
  return { header: { shows: `Bearer {key${of}}.{id${of}}`, of }, fields: { shows: [`{key${of}}`, `{id${of}}`], of } }
})
const signs: fc.Arbitrary<Sign> = fc.oneof(
  { weight: 16, arbitrary: signed(goodHeader, none) },
  { weight: 16, arbitrary: signed(none, goodFields) },
  { weight: 4, arbitrary: twice },
  { weight: 1, arbitrary: signed(goodHeader, goodFields) },
  { weight: 1, arbitrary: signed(goodHeader, badWhole) },
  { weight: 1, arbitrary: signed(badHeader, goodFields) },
  { weight: 2, arbitrary: signed(badHeader, none) },
  { weight: 2, arbitrary: signed(none, badFields) },
  { weight: 1, arbitrary: signed(none, none) },
)

// --- Other irregularities --------------------------------------------------------------------------------------------

const invalidUtf8 = [[0xff], [0xc3, 0x28], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]
const otherTypes =
  'text/plain|multipart/form-data; boundary=x|application/xml|application/jsonx|text/json|application/vnd.api+json'.split(
    '|',
  )
const noTypes =
  '|json|/|application/| |; charset=utf-8|application/json/x|a b/c|__proto__|\u00ff/\u00ff|application/json, text/plain'.split(
    '|',
  )
const notObjects =
  `[]|"key"|1|null|true| |{|{'a':1}|{"a":1,}|{"a":NaN}|{}{}|{}x|{"a":"\n"}|{a:1}|\u00a0{}|// a\n{}|\ufeff`.split('|')

const anySpoils: readonly fc.Arbitrary<Spoil>[] = [
  fc.constant<Spoil>({ how: 'tooLarge' }),
  fc.constant<Spoil>({ how: 'bom' }),
  fc.constantFrom(...invalidUtf8).map((bytes) => ({ how: 'inserted', bytes })),
  fc.constantFrom(...otherTypes).map(labelled({ refused: ['mediaTypeUnknown'] })),
  fc.constantFrom(...noTypes).map(labelled({ fields: true, refused: ['mediaTypeUnknown', 'malformedRequest'] })),
]
const jsonSpoils = fc.oneof(
  ...anySpoils,
  fc.double({ min: 0, max: 0.999, noNaN: true }).map((at): Spoil => ({ how: 'cut', at })),
  fc.constantFrom(...notObjects).map((text): Spoil => ({ how: 'instead', text })),
  fc.constantFrom(undefined, 'application/json; charset=utf-8', 'Application/JSON').map(labelled({ fields: true })),
  fc.constant('application/x-www-form-urlencoded').map(labelled({ nothing: true })),
)
const formSpoils = fc.oneof(
  ...anySpoils,
  fc.constant('application/x-www-form-urlencoded;charset=UTF-8').map(labelled({ fields: true })),
  fc.constantFrom(undefined, 'application/json').map(labelled({ refused: ['malformedRequest'] })),
)

function labelled(reads: Reads): (contentType: string | undefined) => Spoil {
  return (contentType) => ({ how: 'labelled', contentType, reads })
}

const headerNames =
  'accept-language accept user-agent cookie referer x-request-id x-forwarded-for content-encoding range accept-version ' +
  'x-http-method-override origin host if-none-match upgrade constructor accept-encoding forwarded via'
const headerValues = 'ru|ru;q=0.5, en;q=x|ru-RU,ru|*|gzip|DELETE|1.0|::1|bytes=0-1|{key1}'.split('|')

const oddHeaders = fc.dictionary(
  fc.constantFrom(...headerNames.split(' ')),
  fc.oneof(fc.constantFrom(...headerValues, 'x'.repeat(5000)), fc.string()),
  { maxKeys: 4 },
)
