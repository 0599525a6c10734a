// The OpenAPI 3.1 document, built from the schemas that validate requests and define responses.

import { type TSchema, Type } from 'typebox'
import { exampleSentence } from './error-examples.ts'
import { refusals } from './errors.ts'
import { type Example, examples, webhookExample } from './examples.ts'
import { webhookRetrySeconds } from './limits.ts'
import { commonRefusals, methodRefusals } from './method-errors.ts'
import { methodTexts } from './method-texts.ts'
import { type Method, methods } from './methods.ts'
import { type MethodParameters, methodParameters } from './parameters.ts'
import { Health, Refused, Root, responses } from './responses.ts'
import { InboundCall, webhookHeaders } from './webhook.ts'

type About = { readonly publicUrl: string; readonly version: string }

export function openApiDocument({ publicUrl, version }: About): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ringproof',
      version,
      summary: 'Phone-call verification.',
      description:
        'Verifies that a person has a phone by a call that is free for them. Every method accepts GET with its parameters in the query, and POST with a JSON body or a form.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }, { queryKey: [], queryService: [] }],
    tags: [
      { name: 'Verification', description: 'Calls that verify a phone number.' },
      { name: 'Information', description: 'Phone numbers, balance, account and service.' },
      { name: 'Service', description: 'Health of the installation.' },
    ],
    paths: {
      ...Object.fromEntries(methods.map((method) => [`/v1.0/${method}`, methodPath(method, examples[method])])),
      '/': { get: publicOperation('root', 'Name and version', Root, true) },
      '/health': { get: publicOperation('health', 'Whether calls can be placed', Health, false) },
    },
    webhooks: { inboundCall: { post: inboundCallWebhook() } },
    components: {
      schemas: { Refused, InboundCall },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The secret key and the service ID, joined by a dot.' },
        queryKey: { type: 'apiKey', in: 'query', name: 'key', description: 'The secret key; GET only.' },
        queryService: { type: 'apiKey', in: 'query', name: 'service_id', description: 'The service ID; GET only.' },
      },
    },
  }
}

function methodPath(method: Method, example: Example): Record<string, unknown> {
  const { group, summary, description } = methodTexts[method]
  const parameters: MethodParameters = methodParameters[method]
  const shared = {
    tags: [group],
    summary: summary.en,
    description: description.en,
    ...(method === 'initRepeat' ? { deprecated: true } : {}),
    responses: { 200: jsonResponse('Done.', responses[method], example.response), ...refusalResponses(method) },
  }
  return {
    get: { operationId: `${method}ByGet`, ...shared, parameters: queryParameters(parameters, example) },
    post: { operationId: method, ...shared, requestBody: requestBody(parameters, example) },
  }
}

function queryParameters({ required, optional }: MethodParameters, { request }: Example): unknown[] {
  return [
    ...Object.entries(required).map(([name, { text }]) => ({ name, required: true, text })),
    ...Object.entries(optional).map(([name, { text }]) => ({ name, required: false, text })),
  ].map(({ name, required: isRequired, text }) => {
    const example = name in request ? { example: String(request[name]) } : {}
    return { name, in: 'query', required: isRequired, ...describe(text), ...example }
  })
}

// OpenAPI has the description of a parameter beside its schema.
function describe(one: TSchema): { description: string | undefined; schema: unknown } {
  const { description, ...schema } = one as TSchema & { description?: string }
  return { description, schema }
}

function requestBody(parameters: MethodParameters, { request }: Example): Record<string, unknown> {
  return {
    description: 'Also as a form. With key and service_id in it, no header is needed.',
    required: Object.keys(parameters.required).length > 0,
    content: { 'application/json': { schema: bodySchema(parameters), example: request } },
  }
}

function bodySchema({ required, optional }: MethodParameters): TSchema {
  return Type.Object({
    ...Object.fromEntries(Object.entries(required).map(([name, { json }]) => [name, json])),
    ...Object.fromEntries(Object.entries(optional).map(([name, { json }]) => [name, Type.Optional(json)])),
    key: Type.Optional(Type.String({ description: 'The secret key, if it is not in the header.' })),
    service_id: Type.Optional(
      Type.Union([Type.Integer(), Type.String()], { description: 'The service ID, if it is not in the header.' }),
    ),
  })
}

// OpenAPI allows one response per status; several codes of one status become its examples.
function refusalResponses(method: Method): Record<string, unknown> {
  const byStatus = Map.groupBy([...commonRefusals, ...methodRefusals[method]], (name) => refusals[name].status)
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: names.map((name) => `Code ${refusals[name].code}: ${exampleSentence(name, 'en')}`).join(' '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Refused' },
            examples: Object.fromEntries(
              names.map((name) => [
                name,
                { value: { status: false, error: exampleSentence(name, 'en'), code: refusals[name].code } },
              ]),
            ),
          },
        },
      },
    ]),
  )
}

function inboundCallWebhook(): unknown {
  return {
    operationId: 'inboundCall',
    tags: ['Verification'],
    summary: 'The user has called',
    description:
      'Sent to the `callback_url` of inboundCallWaiting when the call arrives in time. Verify the signature over the raw body before you use it.',
    // The receiver checks the signature instead.
    security: [],
    parameters: Object.entries(webhookHeaders).map(([name, schema]) => ({
      name,
      in: 'header',
      required: true,
      ...describe(schema),
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/InboundCall' }, example: webhookExample },
      },
    },
    responses: {
      '2XX': { description: 'Received. The webhook is delivered, and the number is erased.' },
      410: { description: 'The receiver is gone. The webhook is not sent again.' },
      default: {
        description: `Not received, redirects included. Sent again after ${new Intl.ListFormat('en-GB').format(webhookRetrySeconds.map(String))} seconds.`,
      },
    },
  }
}

function publicOperation(operationId: string, summary: string, schema: TSchema, isSecured: boolean): unknown {
  return {
    operationId,
    summary,
    tags: ['Service'],
    ...(isSecured ? {} : { security: [] }),
    responses: {
      200: jsonResponse('Done.', schema),
      ...(isSecured
        ? { 401: jsonResponse('Code 401.', { $ref: '#/components/schemas/Refused' }) }
        : { 503: jsonResponse('The database is down.', schema) }),
    },
  }
}

function jsonResponse(description: string, schema: unknown, example?: unknown): unknown {
  return {
    description,
    content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
  }
}
