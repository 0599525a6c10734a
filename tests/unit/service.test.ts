import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ServiceSettingName, serviceSettings } from '../../server/src/domain/service.ts'

// Setting, what is typed, what is kept. Undefined: refused.
const table: readonly (readonly [ServiceSettingName, string, unknown])[] = [
  ['name', 'Shop', 'Shop'],
  ['name', '', undefined],
  ['name', 'a\nb', undefined],
  ['name', '😀'.repeat(100), '😀'.repeat(100)],
  ['name', '😀'.repeat(101), undefined],
  ['state', 'archived', 'archived'],
  ['state', 'gone', undefined],
  ['addresses', '', []],
  ['addresses', '203.0.113.7, 2001:db8::/32', ['203.0.113.7', '2001:db8::/32']],
  ['addresses', '203.0.113.0/33', undefined],
  ['addresses', '203.0.113.0/24/1', undefined],
  ['addresses', 'example.org', undefined],
  ['id-alias', 'other_id', 'other_id'],
  ['id-alias', '', ''],
  ['id-alias', 'with space', undefined],
  ['plain-http', 'off', false],
  ['plain-http', 'false', undefined],
  ['requests-per-second', 'default', null],
  ['requests-per-second', '100', 100],
  ['requests-per-second', '0', undefined],
  ['geography', 'RU,KZ,RU', ['RU', 'KZ']],
  ['geography', '*', undefined],
  ['roubles-day-max', '0.5', 500_000],
  ['roubles-day-max', 'none', null],
  ['roubles-day-max', '-1', undefined],
  ['wait-seconds', '29', undefined],
  ['wait-seconds', '300', 300],
  ['language', 'kk', 'kk'],
]

test('every setting reads what it should and refuses the rest', () => {
  for (const [name, text, kept] of table) assert.deepEqual(serviceSettings[name].parse(text), kept, `${name} ${text}`)
})

test('what is kept is shown as it can be typed again', () => {
  for (const [name, text, kept] of table) {
    if (kept === undefined) continue
    const { parse, show } = serviceSettings[name]
    const value = parse(text)
    assert(value !== undefined)
    assert.deepEqual(parse(show(value)), kept, `${name} ${text}`)
  }
})
