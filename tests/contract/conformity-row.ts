// A row of the table of conformity, and what its checks share.

import assert from 'node:assert/strict'
import type { Facts, Json, World } from './conformity-facts.ts'

export type Row = {
  readonly section: string
  readonly statement: string
  readonly statements: number
  // What was sent and received, the same in every run.
  readonly seen: string
  readonly decision?: string
  readonly run: (facts: Facts, world: World) => void | Promise<void>
}

export const fields = (value: Json | undefined, ...names: string[]) => {
  for (const name of names) assert(value && name in value, `${name} is missing in ${JSON.stringify(value)}`)
}
export const types = (value: Json | undefined, expected: Readonly<Record<string, string>>) => {
  for (const [name, type] of Object.entries(expected)) assert.equal(typeof value?.[name], type, name)
}
export const refusal = async (request: ReturnType<Facts['get']>, code: number) => {
  const { json } = await request
  assert.deepEqual([json['status'], json['code']], [false, code], JSON.stringify(json))
}
