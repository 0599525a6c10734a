// Turns a plan into a request and its expected outcome. The outcome follows from how the request was built and from the
// documented rules, in the order of the edge: key, path, verb, body, parameters. No server code is used.

import type { RefusalName } from '@ringproof/contract/errors.ts'
import type { Method } from '@ringproof/contract/methods.ts'
import { type Field, type Plan, parametersOf, type Reads } from './requests.ts'
import { isRawJson, isValid } from './values.ts'

export type Outcome = RefusalName | 'response'

export type Expected = {
  // Any of these; undefined when only the shape of the response is known beforehand.
  readonly outcomes: ReadonlySet<Outcome> | undefined
  // Whether nothing about it is wrong, so that it must reach the action.
  readonly isGood: boolean
  // When a parameter is refused, the error must name one of these.
  readonly faulty: readonly string[]
  // Whose data the response must contain.
  readonly of: 0 | 1 | undefined
}

export type MadeRequest = {
  readonly verb: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Buffer | undefined
  readonly expected: Expected
}

export type SigningService = { readonly key: string; readonly serviceId: number }

const bodyBytesMax = 16 * 1024

// How a valid request may end. The fuzzer cannot predict a refusal that depends on the database or the numbering plan;
// it does predict that no parameter is refused.
const goodOutcomes: Readonly<Record<Method, readonly Outcome[]>> = {
  initCall: [
    ...([
      'response',
      'unavailable',
      'serverBusy',
      'needsOperator',
      'invalidPhone',
      'countryNotAllowed',
      'modeNotAvailable',
      'noCallerNumber',
    ] as const),
    ...(['insufficientFunds', 'numberCooldown', 'numberLimitReached', 'capReached'] as const),
  ],
  getInfo: ['response', 'uidUnknown'],
  initRepeat: ['repeatNotSupported'],
  inboundCallWaiting: [
    ...([
      'response',
      'unavailable',
      'serverBusy',
      'needsOperator',
      'invalidPhone',
      'countryNotAllowed',
      'insufficientFunds',
      'numberLimitReached',
      'capReached',
    ] as const),
  ],
  checkPhone: ['response', 'insufficientFunds'],
  getAccount: ['response'],
  getService: ['response'],
  getBalance: ['response'],
}

export function makeRequest(plan: Plan, services: readonly SigningService[]): MadeRequest {
  const spell = (text: string) => spelt(text, services)
  const [key, serviceId] = plan.sign.fields?.shows ?? [null, null]
  const shown = [
    { name: 'key', value: speltDeep(key, spell) },
    { name: 'service_id', value: speltDeep(serviceId, spell) },
  ].filter(({ value }) => value !== null)
  const all = [...plan.fields, ...shown]
  const text = plan.carrier === 'json' ? jsonText(all) : formText(all) + plan.tail
  const stray = plan.verb === 'GET' ? '' : spell(plan.strayQuery)
  const query = plan.carrier === 'query' ? text : stray
  const body = plan.carrier === 'query' ? undefined : bodyOf(plan, text)
  const [struckQuery, payload] = strike(plan, query, body?.payload)
  const contentType = body?.contentType
  return {
    verb: plan.verb,
    url: struckQuery === '' ? plan.path.text : `${plan.path.text}?${struckQuery}`,
    headers: {
      ...plan.headers,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(plan.sign.header ? { authorization: spell(plan.sign.header.shows) } : {}),
    },
    payload,
    expected: expectedOf(plan, body?.reads ?? { fields: true }),
  }
}

// --- Expected outcome ------------------------------------------------------------------------------------------------

function expectedOf(plan: Plan, reads: Reads): Expected {
  const faults = faultsOf(plan)
  const isMeant = plan.verb === 'GET' || plan.verb === 'POST'
  // A GET is read from its query and a POST from its body; the other place is ignored.
  const isHeard = (plan.verb === 'GET') === (plan.carrier === 'query')
  const received = isHeard ? (plan.verb === 'GET' ? { fields: true as const } : reads) : { nothing: true as const }
  const expectedOutcomes = (isMeant ? outcomes(plan, received) : outcomesOfOtherVerb(plan)).flatMap((outcome) =>
    variantsOf(plan, outcome),
  )
  const good = goodOutcomes[plan.method]
  return {
    outcomes: plan.strikes.length > 0 ? undefined : new Set(expectedOutcomes),
    isGood:
      isMeant &&
      (plan.method === 'initRepeat' || faults.size === 0) &&
      expectedOutcomes.every((one) => good.includes(one)),
    faulty: [
      ...faults.keys(),
      ...(isHeard && !received.nothing ? [] : Object.keys(parametersOf(plan.method).required)),
    ],
    of: plan.sign.header?.of ?? plan.sign.fields?.of,
  }
}

// A mistake that explains a missing key or parameter is named: the body of a GET, or JSON that is labelled as a form.
function variantsOf({ verb, carrier }: Plan, outcome: Outcome): readonly Outcome[] {
  if (carrier === 'query') return [outcome]
  if (verb === 'GET' && outcome === 'authenticationFailed') return ['keyInGetBody']
  if (verb === 'GET' && outcome === 'parameterMissing') return ['parameterInGetBody']
  return outcome === 'authenticationFailed' ? [outcome, 'keyInJsonSentAsForm'] : [outcome]
}

function outcomes(plan: Plan, { fields, nothing, refused = [] }: Reads): Outcome[] {
  const { header } = plan.sign
  const ofRefused = refused.flatMap((refusal): Outcome[] => {
    // An unreadable body is reported only to a client with a valid key in the header.
    if (header?.of === undefined) return ['authenticationFailed']
    if (plan.path.leads === 'undecodable') return ['malformedRequest', refusal]
    return plan.path.leads === 'here' ? [refusal] : [refusal, 'methodUnknown']
  })
  return [...ofRefused, ...(fields ? outcomesOfRead(plan, true) : []), ...(nothing ? outcomesOfRead(plan, false) : [])]
}

function outcomesOfRead(plan: Plan, seesFields: boolean): Outcome[] {
  const { leads } = plan.path
  const { header, fields } = plan.sign
  if (leads === 'undecodable') {
    // For an unknown path, credentials beyond the header are not always read.
    if (header ? header.of === undefined : fields?.of === undefined) return ['authenticationFailed']
    return fields ? ['malformedRequest', 'authenticationFailed'] : ['malformedRequest']
  }
  if (!isAuthentic(plan, seesFields)) return ['authenticationFailed']
  if (leads === 'nowhere') return ['methodUnknown']
  const faults = seesFields ? [...faultsOf(plan).values()] : missing(plan.method)
  const good = goodOutcomes[plan.method]
  const here = plan.method === 'initRepeat' || faults.length === 0 ? [...good] : faults
  return leads === 'perhaps' ? [...here, 'methodUnknown'] : here
}

// The header takes precedence, and a second scheme that differs invalidates both.
function isAuthentic({ sign: { header, fields } }: Plan, seesFields: boolean): boolean {
  const second = seesFields ? fields : undefined
  const winner = header ?? second
  return winner?.of !== undefined && (second === undefined || second.of === winner.of)
}

// Whether such a request is read before its verb is refused does not matter; whether a key is required does.
function outcomesOfOtherVerb(plan: Plan): Outcome[] {
  const { header, fields } = plan.sign
  if (header ? header.of === undefined : fields?.of === undefined) return ['authenticationFailed']
  const refused: Outcome[] = header ? ['malformedRequest', 'bodyTooLarge', 'mediaTypeUnknown', 'jsonSentAsForm'] : []
  const verb = ({ here: ['methodNotAllowed'], nowhere: ['methodUnknown'], undecodable: ['malformedRequest'] } as const)[
    plan.path.leads === 'perhaps' ? 'here' : plan.path.leads
  ]
  return [
    ...verb,
    ...(plan.path.leads === 'perhaps' ? (['methodUnknown'] as const) : []),
    ...(plan.carrier === 'query' ? [] : refused),
    ...(fields ? (['authenticationFailed'] as const) : []),
  ]
}

function missing(method: Method): RefusalName[] {
  return Object.keys(parametersOf(method).required).map(() => 'parameterMissing')
}

// The wrong parameters, and how each must be refused.
function faultsOf({ method, fields, carrier }: Plan): Map<string, RefusalName> {
  const kind = carrier === 'json' ? 'json' : 'text'
  const { required, optional } = parametersOf(method)
  const faults = new Map<string, RefusalName>()
  for (const name of [...Object.keys(required), ...Object.keys(optional)]) {
    const value = fields.find((field) => field.name === name)?.value ?? undefined
    if (value === undefined) {
      if (name in required) faults.set(name, 'parameterMissing')
    } else if (!isValid(method, name, value, kind) && !isEmptyOption(name, value)) {
      faults.set(name, name === 'phone' && method !== 'checkPhone' ? 'invalidPhone' : 'invalidParameter')
    }
  }
  return faults
}

// A client of any text may be empty anyway.
function isEmptyOption(name: string, value: unknown): boolean {
  return name === 'code' && value === ''
}

// --- Serialization ---------------------------------------------------------------------------------------------------

function spelt(text: string, services: readonly SigningService[]): string {
  return text.replaceAll(/\{(key|id)([01])\}/g, (_, what: string, at: string) => {
    const service = services[Number(at)]
    return String(what === 'key' ? service?.key : service?.serviceId)
  })
}

function speltDeep(value: unknown, spell: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => speltDeep(one, spell))
  if (typeof value !== 'string') return value
  const spelling = spell(value.replace(':number', ''))
  return value.includes(':number') ? Number(spelling) : spelling
}

function jsonText(fields: readonly Field[]): string {
  const members = fields.map(({ name, value }) => {
    return `${JSON.stringify(name)}:${isRawJson(value) ? value.rawJson : JSON.stringify(value)}`
  })
  return `{${members.join(',')}}`
}

function formText(fields: readonly Field[]): string {
  const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed())
  return fields
    .flatMap(({ name, value }) =>
      (Array.isArray(value) ? value : [value]).map((one) => `${encode(name)}=${encode(one)}`),
    )
    .join('&')
}

type Body = { readonly payload: Buffer; readonly contentType: string | undefined; readonly reads: Reads }

function bodyOf(plan: Plan, text: string): Body {
  const { carrier, spoil } = plan
  const whole = Buffer.from(text)
  const usual = carrier === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
  const unreadable = (payload: Buffer): Body => ({
    payload,
    contentType: usual,
    reads: { refused: ['malformedRequest'] },
  })
  switch (spoil.how) {
    case 'none':
      return measured({ payload: whole, contentType: usual, reads: { fields: true } })
    case 'labelled':
      return measured({ payload: whole, contentType: spoil.contentType, reads: spoil.reads })
    case 'bom': {
      const payload = Buffer.from(`\ufeff${text}`)
      return measured({ payload, contentType: usual, reads: { fields: true, refused: ['malformedRequest'] } })
    }
    case 'cut':
      return measured(unreadable(whole.subarray(0, 1 + Math.floor(spoil.at * (whole.length - 1)))))
    case 'instead':
      return unreadable(Buffer.from(spoil.text))
    case 'inserted':
      return measured(unreadable(Buffer.concat([whole.subarray(0, 1), Buffer.from(spoil.bytes), whole.subarray(1)])))
    case 'tooLarge':
      return measured(unreadable(Buffer.from(text + (carrier === 'json' ? ' ' : '&x').repeat(bodyBytesMax))))
  }
}

function measured({ payload, contentType, reads }: Body): Body {
  const badName = reads.refused?.filter((refusal) => refusal === 'mediaTypeUnknown') ?? []
  if (payload.length > bodyBytesMax) return { payload, contentType, reads: { refused: ['bodyTooLarge', ...badName] } }
  // An empty body is accepted with any content type, but an unknown one may still be refused.
  if (payload.length === 0) return { payload, contentType, reads: { nothing: true, refused: badName } }
  if (isJsonAsForm(payload, contentType)) return { payload, contentType, reads: { refused: ['jsonSentAsForm'] } }
  return { payload, contentType, reads }
}

function isJsonAsForm(payload: Buffer, contentType: string | undefined): boolean {
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase()
  return mediaType === 'application/x-www-form-urlencoded' && /^\s*\{/.test(payload.toString())
}

function strike({ strikes }: Plan, query: string, payload: Buffer | undefined): [string, Buffer | undefined] {
  const struck = payload ? Buffer.from(payload) : Buffer.from(query, 'latin1')
  for (const { at, byte } of strikes) {
    if (struck.length > 0) struck[Math.floor(at * (struck.length - 1))] = payload ? byte : 33 + (byte % 94)
  }
  return payload ? [query, struck] : [struck.toString('latin1'), undefined]
}
