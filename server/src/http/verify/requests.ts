// Reads the requests of /v2. All that is wrong with the fields is said at once, and a field that is not known is refused: a misspelt
// `checks` must not pass.

import { checksDefault, listLimit, ttlSecondsMax } from '@ringproof/contract/limits.ts'
import { ladderStates } from '@ringproof/contract/lists/calls.ts'
import { CheckCode, NextCall, StartVerification } from '@ringproof/contract/v2/verification.ts'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ListCommand } from '../../actions/verifications/ladders.ts'
import type { StartLadderCommand } from '../../actions/verifications/start-ladder.ts'
import { type ServiceMode } from '../../domain/accounts/modes.ts'
import { readPhoneNumber } from '../../domain/numbers/phone-number.ts'
import { misspellingOf, uncallable } from '../../domain/numbers/uncallable.ts'
import { parseVerificationName } from '../../domain/verifications/verification-name.ts'
import { Refusal } from '../../process/errors.ts'
import { fieldsOf } from '../request-fields.ts'
import { VerifyProblem } from './problems.ts'

const readers = { start: readerOf(StartVerification), check: readerOf(CheckCode), next: readerOf(NextCall) }

export function startCommand(request: FastifyRequest): StartLadderCommand {
  const body = readers.start(request)
  const phone = readPhoneNumber(body.phone)
  if (phone === undefined) throw uncallable(misspellingOf(body.phone))
  return {
    phone,
    channels: body.channels ?? 'auto',
    language: body.locale,
    ttlSeconds: body.ttl_seconds ?? ttlSecondsMax,
    checks: body.checks ?? checksDefault,
    silenceSeconds: body.silence_seconds ?? undefined,
    client: body.reference ?? '',
    unique: idempotencyKeyOf(request),
    metadata: body.metadata,
  }
}

export function checkCommand(request: FastifyRequest): {
  readonly code: string
  readonly idempotencyKey: string | undefined
} {
  return { code: readers.check(request).code, idempotencyKey: idempotencyKeyOf(request) }
}

export function nextCommand(request: FastifyRequest): {
  readonly callsBefore: number
  readonly mode: ServiceMode | undefined
} {
  const { after_calls: callsBefore, channel } = readers.next(request)
  return { callsBefore, mode: channel }
}

export function listCommand(request: FastifyRequest): ListCommand {
  const query = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
  for (const name of query.keys()) {
    if (!['limit', 'after', 'status', 'phone', 'reference'].includes(name)) throw invalid(name, 'is not known')
  }
  const limit = Number(query.get('limit') ?? listLimit.default)
  if (!Number.isInteger(limit) || limit < 1 || limit > listLimit.max)
    throw invalid('limit', `must be 1 to ${listLimit.max}`)
  const after = query.get('after')
  const beforeId = after === null ? undefined : parseVerificationName(after)
  if (after !== null && beforeId === undefined) throw invalid('after', 'is not the ID of a verification')
  const status = query.get('status')
  const state = ladderStates.find((one) => one === status)
  if (status !== null && state === undefined) throw invalid('status', `must be one of ${ladderStates.join(', ')}`)
  const typed = query.get('phone')
  // A plus in a query is a space.
  const phone = typed === null ? undefined : readPhoneNumber(typed.trim())
  if (typed !== null && phone === undefined) throw invalid('phone', 'is not a phone number')
  return { limit, beforeId, state, phone, reference: query.get('reference') ?? undefined }
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,64}$/.test(key)) return key
  throw invalid('Idempotency-Key', 'must be 1 to 64 visible ASCII characters')
}

function readerOf<S extends TSchema>(schema: S) {
  const validator = Compile(schema)
  return (request: FastifyRequest) => {
    const fields = fieldsOf(request)
    if (fields instanceof Refusal) throw fields
    if (fields.kind !== 'json') throw new Refusal('mediaTypeUnknown')
    const body: unknown = Object.fromEntries(fields.values)
    if (validator.Check(body)) return body
    throw new VerifyProblem('invalidParameter', { errors: errorsOf(validator.Errors(body)) })
  }
}

type FieldError = { readonly field: string; readonly detail: string }

function errorsOf(errors: readonly { instancePath: string; message: string; params: object }[]): readonly FieldError[] {
  const found = errors.flatMap(({ instancePath, message, params }) => {
    const place = instancePath.slice(1)
    const within = (name: string) => (place === '' ? name : `${place}/${name}`)
    if ('additionalProperties' in params && Array.isArray(params.additionalProperties)) {
      return params.additionalProperties.map((name) => ({ field: within(String(name)), detail: 'is not known' }))
    }
    if ('requiredProperties' in params && Array.isArray(params.requiredProperties)) {
      return params.requiredProperties.map((name) => ({ field: within(String(name)), detail: 'is required' }))
    }
    return [{ field: place, detail: message }]
  })
  // Of one field only the first thing that is wrong with it.
  return [...new Map(found.toReversed().map((error) => [error.field, error])).values()].toReversed()
}

function invalid(field: string, detail: string): VerifyProblem {
  return new VerifyProblem('invalidParameter', { errors: [{ field, detail }] })
}
