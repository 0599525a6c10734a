import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNumberList } from '../../server/src/domain/numbers/free-text-number.ts'
import { csvOf } from '../../web/src/dashboard/numbers/csv.ts'
import { splitNumbers } from '../../web/src/dashboard/numbers/split-numbers.ts'

test('a pasted text is split where a number ends, not inside it', () => {
  for (const [text, expected] of [
    ['', []],
    [' \n,;\n', []],
    ['+7 907 000-00-01', ['+7 907 000-00-01']],
    ['8 (907) 000 00 01\r\n79070000002', ['8 (907) 000 00 01', '79070000002']],
    ['79070000001, 79070000002;79070000003\t79070000004', ['79070000001', '79070000002', '79070000003', '79070000004']],
    ['+7 907 000 00 01 +7 907 000 00 02', ['+7 907 000 00 01', '+7 907 000 00 02']],
    ['79070000001 79070000002', ['79070000001', '79070000002']],
    ['7 907 000 00 01', ['7 907 000 00 01']],
    ['hello', ['hello']],
    // Cut, it would be another number.
    [`79070000001${' '.repeat(50)}2345`, ['?']],
  ] as const) {
    assert.deepEqual(splitNumbers(text), expected, text)
  }
})

test('the same number in another spelling is a duplicate; a text that is no number never is', () => {
  const listed = readNumberList(['+7 907 000-00-01', 'hello', '8 (907) 000-00-01', 'hello', '9070000002'])
  assert.deepEqual(
    listed.map(({ number, isDuplicate }) => [number, isDuplicate]),
    [
      ['79070000001', false],
      [undefined, false],
      ['79070000001', true],
      [undefined, false],
      ['79070000002', false],
    ],
  )
})

test('the file has masks, quotes a comma and disarms a formula', () => {
  const row = {
    place: 2,
    state: 'checked',
    mask: '7907***0001',
    error: '',
    isMobile: true,
    country: 'Russia',
    provider: '=1+1',
    organisation: 'ООО "Ромашка", Лесной',
    region: '',
    city: '',
    networkCode: 0,
  } as const
  const [head, line] = csvOf([row]).split('\n')
  assert.equal(head, 'line,phone,state,mobile,country,provider,organisation,region,city,network_code,error')
  assert.equal(line, `3,7907***0001,checked,true,Russia,'=1+1,"ООО ""Ромашка"", Лесной",,,,`)
})
