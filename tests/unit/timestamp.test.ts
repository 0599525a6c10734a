import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseTimestamp } from '../../server/src/domain/values/time.ts'

test('a date or a time is read as UTC, unless it has an offset', () => {
  for (const [text, moment] of [
    ['2027-01-01', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-01T09:00', '2027-01-01T09:00:00.000Z'],
    ['2027-01-01T09:00Z', '2027-01-01T09:00:00.000Z'],
    ['2027-01-01T09:00:30.5Z', '2027-01-01T09:00:30.500Z'],
    ['2027-01-01T02:00+03:00', '2026-12-31T23:00:00.000Z'],
    ['2027-01-01T23:30:00-04:45', '2027-01-02T04:15:00.000Z'],
  ]) {
    assert.equal(parseTimestamp(text ?? '')?.toISOString(), moment, text)
  }
})

test('an invalid timestamp is refused, and no day rolls over into the next month', () => {
  for (const text of [
    '2027-02-31',
    '2027-02-29',
    '2027-04-31T10:00Z',
    '2027-13-01',
    '2027-00-10',
    '2027-01-00',
    '2027-01-01T24:00',
    '2027-01-01T10:60',
    '2027-01-01T10:00+15:00',
    '2027-01-01T10:00+0300',
    '2027-01-01 10:00',
    '2027-01-01Z',
    '2027-01-01T10',
    '2027-1-1',
    '01/02/2027',
    'March 7, 2027',
    '+002027-01-01',
    '1798761600',
    'tomorrow',
    ' 2027-01-01',
    '',
  ]) {
    assert.equal(parseTimestamp(text), undefined, text)
  }
})

test('every formatted timestamp parses back to the same moment', () => {
  const min = new Date('0000-01-01T00:00:00Z')
  const max = new Date('9999-12-31T23:59:59Z')
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (moment) => {
      assert.deepEqual(parseTimestamp(moment.toISOString()), moment)
    }),
  )
})
