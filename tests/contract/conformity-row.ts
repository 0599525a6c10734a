// A row of the table of conformity, and what its checks share.

import assert from 'node:assert/strict'
import type { Asked } from '../support/http/ask.ts'
import type { Facts, Json, World } from './conformity-facts.ts'

export type Row = {
  readonly section: string
  readonly statement: string
  readonly statements: number
  // What was sent and received, the same in every run.
  readonly seen: string
  readonly decision?: string
  readonly run: (facts: Facts, world: World) => void | Promise<void>
  // What would have been received from a server that does not conform: the row must find each.
  readonly faults?: readonly ((facts: Facts) => Facts)[]
}

export const fields = (value: Json | undefined, ...names: string[]) => {
  for (const name of names) assert(value && name in value, `${name} is missing in ${JSON.stringify(value)}`)
}
export const types = (value: Json | undefined, expected: Readonly<Record<string, string>>) => {
  for (const [name, type] of Object.entries(expected)) assert.equal(typeof value?.[name], type, name)
}
// The responses to one request, changed on their way.
export const answering =
  (change: (asked: Asked, method: string, sent: Json) => Partial<Asked>) =>
  (facts: Facts): Facts => {
    const changed = (asked: Asked, method: string, sent: Json = {}) => ({ ...asked, ...change(asked, method, sent) })
    return {
      ...facts,
      get: async (method, query) => changed(await facts.get(method, query), method, query),
      post: async (method, body) => changed(await facts.post(method, body), method, body),
    }
  }
export const refusal = async (request: ReturnType<Facts['get']>, code: number) => {
  const { json } = await request
  assert.deepEqual([json['status'], json['code']], [false, code], JSON.stringify(json))
}
