// The columns of trunks in the database are those of the table of options: type, default, whether it may be empty, and bounds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TrunkOption, trunkOptions } from '@ringproof/contract/lists/trunk-options.ts'
import { asOwner, testDatabase } from '../support/database/test-database.ts'

// Beside the options.
const others = ['name', 'is_on', 'is_draining', 'password_sealed', 'created_at']
const types = {
  whole: 'integer',
  rate: 'double precision',
  text: 'text',
  choice: 'text',
  countries: 'ARRAY',
  switch: 'boolean',
} as const satisfies Record<TrunkOption['kind'], string>

type Column = { readonly name: string; readonly type: string; readonly isNullable: boolean; readonly value: unknown }

const { ownerUrl } = await testDatabase()

test('each option has its column, and no column is without an option', async () => {
  const columns = await readColumns()
  const options: readonly TrunkOption[] = Object.values(trunkOptions)
  assert.deepEqual(
    columns.map(({ name }) => name).toSorted(),
    [...others, ...options.map(({ column }) => column)].toSorted(),
  )
  for (const option of options) {
    const column = columns.find(({ name }) => name === option.column)
    assert(column)
    assert.equal(column.type, types[option.kind], option.column)
    assert.equal(column.isNullable, option.absent?.value === null, option.column)
    if (!option.isRequired) assert.deepEqual(column.value, option.default, option.column)
  }
})

test('the database takes the ring time within the bounds of the table, and no other', async () => {
  const { min, max, column } = trunkOptions.ringSeconds
  await asOwner(async (client) => {
    await client.query(`INSERT INTO trunks (name, channels, calls_per_second) VALUES ('one', 1, 1)`)
    const put = (value: number) => client.query(`UPDATE trunks SET ${column} = $1`, [value])
    for (const value of [min, max]) await put(value)
    for (const value of [min - 1, max + 1]) await assert.rejects(put(value), /violates check constraint/)
  }, ownerUrl)
})

async function readColumns(): Promise<readonly Column[]> {
  return asOwner(async (client) => {
    const { rows } = await client.query<Column & { readonly text: string | null }>(
      `SELECT column_name AS name, data_type AS type, is_nullable = 'YES' AS "isNullable", column_default AS text
       FROM information_schema.columns WHERE table_name = 'trunks' AND table_schema = 'public'`,
    )
    const defaults = rows.map(({ name, text }) => `${text ?? 'NULL'} AS ${name}`)
    const { rows: values } = await client.query<Record<string, unknown>>(`SELECT ${defaults.join(', ')}`)
    return rows.map((column) => ({ ...column, value: values[0]?.[column.name] ?? null }))
  }, ownerUrl)
}
