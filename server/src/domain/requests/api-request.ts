// A request to the API, as its log keeps it: what was asked and returned, without the personal and secret values in it. Only values
// that are listed here are kept; everything else becomes a placeholder that says how long the value was.

import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import type { Language } from '@ringproof/contract/lists/people.ts'
import type { authSchemes } from '@ringproof/contract/lists/requests.ts'
import type { Method } from '@ringproof/contract/methods.ts'
import { type Refusal, refusalSentence } from '../../process/errors.ts'
import type { ApiClient } from '../accounts/api-client.ts'
import type { VerificationId } from '../core/slot.ts'

// A request that was completed a moment ago, still with all its values. It never leaves the process.
export type CompletedRequest = {
  readonly id: string
  readonly startedMs: number
  readonly endedMs: number
  readonly apiClient: Pick<ApiClient, 'serviceId' | 'accountId'>
  readonly isTest: boolean
  // With a wrong key: the client may be somebody else.
  readonly isGuess: boolean
  readonly method: Method | 'unknown'
  readonly verb: string
  readonly httpStatus: number
  readonly refused: Refused | undefined
  readonly address: string
  readonly auth: AuthScheme
  readonly userAgent: string
  readonly parameters: SentParameters | undefined
  readonly response: Readonly<Record<string, unknown>> | undefined
}

export type Refused = { readonly refusal: Refusal; readonly language: Language }

export type AuthScheme = (typeof authSchemes)[number]

// Undefined or a text: there was no body, or it could not be read.
type SentParameters = { readonly kind: 'json' | 'text'; readonly values: ReadonlyMap<string, unknown> } | string

// A field with its value, or without it and how the value was written.
export type LoggedField = { readonly name: string; readonly value?: unknown; readonly hidden?: HiddenValue }

export type HiddenValue = { readonly form: 'digits' | 'text' | 'number' | 'list' | 'other'; readonly length: number }

export type LoggedParameters = {
  readonly kind: 'json' | 'text' | 'unreadable'
  readonly fields: readonly LoggedField[]
  // Fields that no method has and that are not named: a name can be a secret, too.
  readonly others: number
}

export type LoggedResponse = { readonly fields: readonly LoggedField[]; readonly retryAfter?: number }

type LoggedRequest = {
  readonly code: number | undefined
  readonly refusal: RefusalName | undefined
  readonly verificationId: VerificationId | undefined
  readonly userAgent: string
  readonly request: LoggedParameters
  readonly response: LoggedResponse
}

export function toLoggedRequest({ method, refused, userAgent, parameters, response }: CompletedRequest): LoggedRequest {
  const id = response?.['vendor_id']
  return {
    code: refused && refusals[refused.refusal.refusal].code,
    refusal: refused?.refusal.refusal,
    verificationId: typeof id === 'number' ? (id as VerificationId) : undefined,
    userAgent: programsIn(userAgent),
    request: redactParameters(parameters),
    response: refused ? refusalResponse(refused) : { fields: redactResponse(method, response ?? {}) },
  }
}

// What a refusal is about, for counting refusals of one kind together. All these values come from us.
export function subjectOf({ values }: Refusal): string {
  const subject = values['parameter'] ?? values['country'] ?? values['scope'] ?? values['mode'] ?? ''
  return typeof subject === 'string' ? subject : ''
}

function refusalResponse({ refusal, language }: Refused): LoggedResponse {
  const { retryAfterSeconds } = refusal
  const fields = [
    { name: 'status', value: false },
    { name: 'error', value: refusalSentence(refusal, language) },
    { name: 'code', value: refusals[refusal.refusal].code },
  ]
  return { fields, ...(retryAfterSeconds !== undefined && { retryAfter: retryAfterSeconds }) }
}

// The key and its service are the authentication, not parameters.
const credentialNames = new Set(['key', 'service_id'])

const flagNames = new Set(['voice', 'mix'])

const flagValues = new Set<unknown>([true, false, 0, 1, 'true', 'True', '1', 'false', 'False', '0'])

// Names of parameters, and those that clients confuse with them.
const parameterNames = words(
  `phone code client unique uid callback_url voice mix phone_number number phones tel msisdn to id vendor_id call_id mode lang
   language callback webhook url text message ip token api_key service unique_id client_id`,
)

function redactParameters(parameters: SentParameters | undefined): LoggedParameters {
  if (parameters === undefined) return { kind: 'json', fields: [], others: 0 }
  if (typeof parameters === 'string') return { kind: 'unreadable', fields: [], others: 0 }
  const sent = [...parameters.values].filter(([name]) => !credentialNames.has(name))
  const known = sent.filter(([name]) => parameterNames.has(name))
  const fields = known.map(([name, value]) =>
    flagNames.has(name) && flagValues.has(value) ? { name, value } : { name, hidden: hiddenValue(value) },
  )
  return { kind: parameters.kind, fields, others: sent.length - known.length }
}

function hiddenValue(value: unknown): HiddenValue {
  if (typeof value === 'number') return { form: 'number', length: String(value).length }
  if (Array.isArray(value)) return { form: 'list', length: value.length }
  if (typeof value !== 'string') return { form: 'other', length: 0 }
  return { form: /^\+?\d+$/.test(value) ? 'digits' : 'text', length: value.length }
}

// The fields of each response that say nothing about a person and are no secret.
const shownFields: Readonly<Record<Method, ReadonlySet<string>>> = {
  initCall: words('status vendor_id exists'),
  initRepeat: words('status vendor_id exists free_repeated'),
  getInfo: words(
    `status vendor_id init_time call_status is_repeated first_vendor_id repeatable repeat_times repeated_vendor_ids country_code
     phone_info cost balance`,
  ),
  inboundCallWaiting: words('status vendor_id'),
  checkPhone: words('error mobile country_iso country_code mnc provider company country region city cost balance'),
  getAccount: words('id two_auth updated created'),
  getService: words('status service_status creation_time last_request use_direction'),
  getBalance: words('status rub_balance tariff tariff_name'),
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

function redactResponse(method: Method | 'unknown', response: Readonly<Record<string, unknown>>): LoggedField[] {
  const shown = method === 'unknown' ? undefined : shownFields[method]
  return Object.entries(response)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (shown?.has(name) ? { name, value } : { name, hidden: hiddenValue(value) }))
}

const programsMax = 4

// Names and versions of programs, nothing else: a client may write anything into this header.
export function programsIn(userAgent: string): string {
  const programs = userAgent
    .slice(0, 300)
    .split(/[\s();,]+/)
    .flatMap((word) => {
      const [, name, version] =
        /^([A-Za-z][A-Za-z_.-]{1,23})(?:\/v?(\d{1,4}(?:\.\d{1,4}){0,3}))?(?![\w])/.exec(word) ?? []
      return name === undefined || version === undefined ? [] : [`${name}/${version}`]
    })
  return programs.slice(0, programsMax).join(' ')
}

// The installation refused it, not because of the request.
export function isOurFault(name: RefusalName): boolean {
  return refusals[name].status >= 500
}
