// The OpenAPI 3.1 document of the Verify API, built from the schemas that validate its requests and responses.

import type { TSchema } from 'typebox'
import { listLimit } from '../limits.ts'
import { verifyExamples } from './examples.ts'
import { exampleProblem, type Operation, operationProblems, Problem, problemCode, problemStatus } from './problems.ts'
import {
  CheckCode,
  NextCall,
  Phone,
  PublicVerification,
  StartedVerification,
  StartVerification,
  Status,
  Verification,
  VerificationId,
  VerificationList,
  verifySchemas,
} from './verification.ts'

type Json = Readonly<Record<string, unknown>>

const components: Readonly<Record<string, TSchema>> = { ...verifySchemas, Problem }

export function verifyDocument(publicUrl: string): Json {
  const keyOrToken = { security: [{ serviceKey: [] }, { clientToken: [] }] }
  const operation = (name: Operation, parts: Json) => ({
    operationId: name,
    tags: ['verifications'],
    ...parts,
    responses: { ...(parts['responses'] as Json), ...problemResponses(name, publicUrl) },
  })
  const one = (path: string, method: string, value: Json) => ({
    [`/v2/verifications/{id}${path}`]: { parameters: [{ $ref: '#/components/parameters/Id' }], [method]: value },
  })
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Ringproof Verify API',
      version: '2',
      summary: 'One request verifies a phone number by calls; the code never leaves the server.',
      description:
        'Beside `/v1.0`, with the same services, keys and money.\n**A 2xx response to a check means that the number is verified. Nothing else does.**',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ serviceKey: [] }],
    tags: [{ name: 'verifications', description: 'A verification proves that somebody controls a phone number.' }],
    paths: {
      '/v2/verifications': {
        post: operation('startVerification', start),
        get: operation('listVerifications', list),
      },
      ...one('', 'get', operation('getVerification', { ...get, ...keyOrToken })),
      ...one('/check', 'post', operation('checkCode', { ...check, ...keyOrToken })),
      ...one('/next', 'post', operation('nextCall', { ...next, ...keyOrToken })),
      ...one('/cancel', 'post', operation('cancelVerification', cancel)),
    },
    components: {
      parameters: { Id: { name: 'id', in: 'path', required: true, schema: VerificationId } },
      headers: { RetryAfter: { schema: { type: 'integer', minimum: 0 }, description: 'Seconds to wait.' } },
      securitySchemes,
    },
  }
  const schemas = Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [name, withReferences(schema, name)]),
  )
  const linked = withReferences(document) as typeof document
  return { ...linked, components: { ...linked.components, schemas } }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes a retry safe. Kept as long as the verification. Another number under the same key is 422.',
  schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[\\x21-\\x7e]+$' },
}

const acceptLanguage = {
  name: 'Accept-Language',
  in: 'header',
  required: false,
  description: 'Language of problem texts: `ru`, otherwise English.',
  schema: { type: 'string' },
}

const eitherView = { oneOf: [Verification, PublicVerification] }

const start = {
  summary: 'Start a verification',
  description: 'Checks limits and money, holds the price of the first call and places it. Scope `start`.',
  parameters: [idempotencyKey, acceptLanguage],
  requestBody: body(StartVerification, verifyExamples.start),
  responses: {
    201: {
      ...json('Started. The first call is on its way.', StartedVerification, verifyExamples.started),
      headers: {
        Location: { schema: { type: 'string' }, description: 'The path of the verification.' },
      },
    },
    200: {
      ...json(
        'The idempotency key was used before, for the same number. This is its verification as it is now.',
        StartedVerification,
      ),
      headers: { 'Idempotent-Replayed': { schema: { type: 'string', const: 'true' } } },
    },
  },
}

const list = {
  summary: 'List verifications, newest first',
  description: 'Scope `read`.',
  parameters: [
    {
      name: 'limit',
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: listLimit.max, default: listLimit.default },
    },
    { name: 'after', in: 'query', schema: VerificationId, description: 'The last ID of the page before.' },
    { name: 'status', in: 'query', schema: Status },
    { name: 'phone', in: 'query', schema: Phone },
    { name: 'reference', in: 'query', schema: { type: 'string', maxLength: 64 } },
  ],
  responses: { 200: json('A page.', VerificationList) },
}

const get = {
  summary: 'Read a verification',
  description: 'Scope `read`. A client token gets the public view.',
  responses: { 200: json('The verification.', eitherView, verifyExamples.verification) },
}

const check = {
  summary: 'Check the code that the user typed',
  description:
    '200 means approved. A wrong code is 422 `code_wrong` with `checks_left`; a verification that is over is 409 `verification_over` with its `status`. Scope `start`, or a client token.',
  parameters: [idempotencyKey],
  requestBody: body(CheckCode, verifyExamples.check),
  responses: { 200: json('Approved.', eitherView, verifyExamples.approved) },
}

const next = {
  summary: 'Call again, or by the next channel',
  description:
    '"I got no call" (no channel: the next one) or "call me again" (`channel`). Idempotent by `after_calls`: of any number of requests with the same one, one places a call. Scope `start`, or a client token.',
  requestBody: body(NextCall, verifyExamples.next),
  responses: { 200: json('The call is on its way, or was already.', eitherView) },
}

const cancel = {
  summary: 'Cancel a verification',
  description:
    'No further call is dialled. A call in progress ends by itself. Cancelling twice is the same as once. Scope `start`.',
  responses: { 200: json('Cancelled.', Verification) },
}

const securitySchemes = {
  serviceKey: {
    type: 'http',
    scheme: 'bearer',
    description: '`KEY.SERVICE_ID`, as for /v1.0. Only in the header. Never in a browser or an app.',
  },
  clientToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`ct_…` from the response to a start: valid for that verification only, until it expires. Safe in a browser.',
  },
}

// OpenAPI allows one response per status; several problems of one status become its examples.
function problemResponses(name: Operation, publicUrl: string): Json {
  const byStatus = Map.groupBy(operationProblems[name], problemStatus)
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      const examples = names.map((one) => [problemCode(one), { value: exampleProblem(one, publicUrl) }])
      const headers = [429, 503].includes(status)
        ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
        : undefined
      return [
        status,
        {
          description: names.map((one) => `\`${problemCode(one)}\``).join(', '),
          ...(headers === undefined ? {} : { headers }),
          content: { 'application/problem+json': { schema: Problem, examples: Object.fromEntries(examples) } },
        },
      ]
    }),
  )
}

function body(schema: TSchema, example?: unknown): Json {
  return { required: true, content: content(schema, example) }
}

function json(description: string, schema: unknown, example?: unknown): Json {
  return { description, content: content(schema, example) }
}

function content(schema: unknown, example: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}

// A schema that is a component becomes a reference to it, except where the component itself is described.
function withReferences(node: unknown, except?: string): unknown {
  if (typeof node !== 'object' || node === null) return node
  const text = JSON.stringify(node)
  const name = Object.keys(components).find((one) => one !== except && JSON.stringify(components[one]) === text)
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  if (Array.isArray(node)) return node.map((one) => withReferences(one))
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withReferences(value)]))
}
