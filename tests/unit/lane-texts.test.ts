import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeTexts } from '../../web/src/parts/charts/lane-texts.ts'

const above = { place: 'above', isBefore: false }
const below = { place: 'below', isBefore: false }

test('a text that would cover another one changes sides, and the third is left out', () => {
  const points = [0, 0.02, 0.04].map((at) => ({ at, text: 'initCall', place: 'above' as const }))
  assert.deepEqual(placeTexts(points, 0.01), [above, below, undefined])
})

test('texts far from each other keep their sides', () => {
  const points = [0, 0.5].map((at) => ({ at, text: 'initCall', place: 'below' as const }))
  assert.deepEqual(placeTexts(points, 0.01), [below, below])
})

test('a text near the end stands before its point', () => {
  assert.deepEqual(placeTexts([{ at: 0.95, text: '204, delivered', place: 'above' }], 0.01), [
    { place: 'above', isBefore: true },
  ])
})
