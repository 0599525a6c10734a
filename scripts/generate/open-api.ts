// The parts of the OpenAPI document that the generators read.

import { openApiDocument } from '@ringproof/contract/openapi.ts'

export type Schema = {
  readonly type?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

type Json = {
  readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } }
}

type Operation = {
  readonly summary: string
  readonly tags: readonly string[]
  readonly requestBody: Json & { readonly description: string }
  readonly responses: Readonly<Record<'200', Json>>
}

export type OpenApi = {
  readonly info: { readonly description: string }
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>
}

// Generated files must not change with every release or name an installation.
export function readOpenApi(): OpenApi {
  return openApiDocument({ publicUrl: 'https://ringproof.example', version: '1.0' }) as OpenApi
}

// The example request of a method for a collection: with a new idempotency key each time, and the last returned ID.
export function collectionRequest({ paths }: OpenApi, method: string): { summary: string; body: string } {
  const { summary = '', requestBody } = paths[`/v1.0/${method}`]?.post ?? {}
  const example = requestBody?.content['application/json'].example as Record<string, unknown>
  const filled = {
    ...example,
    ...('unique' in example ? { unique: '{{$guid}}' } : {}),
    ...('uid' in example ? { uid: '{{vendorId}}' } : {}),
  }
  return { summary: `${summary}.`, body: JSON.stringify(filled, undefined, 2) }
}
