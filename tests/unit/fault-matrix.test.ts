// The table of the fault matrix is complete, and what its expectations are measured by finds a violation.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientLine, Histories } from '../crash/histories.ts'
import { mutationNames, mutations } from '../crash/mutations.ts'
import { gap, internalErrors, percentile, retriedKeys } from '../faults/measures.ts'
import { mutationsHere } from '../faults/mutations.ts'
import { chosenIds, faults } from '../faults/table.ts'

const struck = { act: 'kill', victim: 'api-0', atMs: 1_000, backAtMs: 2_000 }

test('the table has F1 to F28 without F13, and six of them are chosen', () => {
  const ids = Array.from({ length: 28 }, (_, index) => `F${index + 1}`).filter((id) => id !== 'F13')
  assert.deepEqual(
    faults.map(({ id }) => id),
    ids,
  )
  assert.equal(chosenIds.length, 6)
  for (const id of chosenIds) assert(ids.includes(id), id)
})

test('the mutations that run here break each of the nine invariants', () => {
  const broken = new Set(mutationsHere.map((name) => mutations[name].breaks.slice(0, 1)))
  assert.deepEqual([...broken].toSorted(), ['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  assert.equal(mutationsHere.length, mutationNames.length - 1)
})

test('the longest time without an accepted call counts from the fault, and inbound requests do not end it', () => {
  const client = [
    line({ doneAtMs: 500 }),
    line({ doneAtMs: 1_500, method: 'inboundCallWaiting' }),
    line({ doneAtMs: 3_000 }),
    line({ doneAtMs: 3_500 }),
  ]
  assert.deepEqual(
    gap(1_000)(histories(client), struck).map(({ value, max }) => [value, max]),
    [[2_000, 1_000]],
  )
})

test('a key that returned two verifications, and an internal error, are found', () => {
  const client = [
    line({ unique: 'a', response: { status: 503, code: 5 } }),
    line({ unique: 'a', response: { status: 200, vendorId: 1 } }),
    line({ unique: 'a', response: { status: 200, vendorId: 2 } }),
    line({ unique: 'b', response: { status: 500, code: 500 } }),
  ]
  assert.deepEqual(
    retriedKeys(histories(client)).map(({ value }) => value),
    [1, 1],
  )
  assert.equal(internalErrors(histories(client))[0]?.value, 1)
})

test('a percentile of few values is one of them', () => {
  assert.equal(percentile([3, 1, 2], 0.95), 3)
  assert.equal(percentile([3, 1, 2], 0), 1)
  assert.equal(percentile([], 0.5), 0)
})

function histories(client: readonly ClientLine[]): Histories {
  const settings = { seed: 1, timeScale: 0.2, databases: 1, funded: {} }
  return { settings, client, carrier: [], receiver: [], record: [], faults: [], scan: [] }
}

function line(fields: Partial<ClientLine>): ClientLine {
  return {
    n: 1,
    kind: 'flash',
    method: 'initCall',
    serviceId: 65,
    phone: '79070001180',
    sentAtMs: 0,
    doneAtMs: 0,
    response: { status: 200, vendorId: 1 },
    ...fields,
  }
}
