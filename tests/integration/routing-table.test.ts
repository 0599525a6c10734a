// What a process keeps of the routing table between two reads, and what it reads anew.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertQuarantine } from '../../server/src/db/trunks/caller-number.ts'
import { readCallRouting } from '../../server/src/db/trunks/routing-table.ts'
import { deleteCallerRange, insertCallerRange } from '../../server/src/db/trunks/trunk.ts'
import { createPrefixGate } from '../../server/src/domain/protection/prefix-gate.ts'
import { installPhones } from '../support/process/phones.ts'

const { slots } = await installPhones(1)
const { globalDatabase } = slots
const gate = createPrefixGate(1)
const codes = (table: Awaited<ReturnType<typeof readCallRouting>>) => table.codesFor('RU').length

test('unchanged trunks and numbers keep their arrays', async () => {
  const first = await readCallRouting(globalDatabase, gate)
  const again = await readCallRouting(globalDatabase, gate, first)
  assert.equal(again.trunks, first.trunks)
  assert.equal(again.ranges, first.ranges)
  assert.equal(again.codesFor, first.codesFor)
  assert.notEqual(again.readAt, first.readAt)
})

test('each change of numbers, quarantines and trunks is read', async () => {
  const range = { trunk: 'first', country: 'RU', first: 70000100000, last: 70000100099 }
  const before = await readCallRouting(globalDatabase, gate)
  await insertCallerRange(globalDatabase, range)
  const added = await readCallRouting(globalDatabase, gate, before)
  assert.equal(added.ownedRanges.length, before.ownedRanges.length + 1)
  await deleteCallerRange(globalDatabase, range)
  const removed = await readCallRouting(globalDatabase, gate, added)
  assert.deepEqual(removed.ownedRanges, before.ownedRanges)
  for (const [trunk, first] of [
    ['first', 70000000001],
    ['second', 70000010001],
  ] as const) {
    const days = { since: new Date(), until: null }
    await insertQuarantine(globalDatabase, { trunk, first, last: first + 99, reason: 'labelled', ...days })
  }
  const quarantined = await readCallRouting(globalDatabase, gate, removed)
  assert.equal(codes(quarantined), codes(before) - 100)
  await globalDatabase.query(`UPDATE trunks SET is_on = false WHERE name = 'first'`)
  const off = await readCallRouting(globalDatabase, gate, quarantined)
  assert.equal(off.trunks.find(({ name }) => name === 'first')?.isOn, false)
})
