import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ServiceSettingName, serviceSettings } from '../../server/src/domain/accounts/service.ts'

// Setting, typed value, stored value. Undefined: refused.
type Row = readonly [ServiceSettingName, string, unknown]
const taken = (name: string): Row => ['id-alias', name, undefined]
const table: readonly Row[] = [
  ['name', 'Shop', 'Shop'],
  ['name', '', undefined],
  ['name', ' Shop ', 'Shop'],
  ['name', '   ', undefined],
  ['name', '\u00a0\u2003', undefined],
  ['name', 'a\nb', undefined],
  ['name', 'a\n', undefined],
  ['name', '😀'.repeat(100), '😀'.repeat(100)],
  ['name', '😀'.repeat(101), undefined],
  ['state', 'archived', 'archived'],
  ['state', 'gone', undefined],
  ['addresses', '', []],
  ['addresses', '203.0.113.7, 2001:db8::/32', ['203.0.113.7', '2001:db8::/32']],
  ['addresses', '0.0.0.0/0,10.0.0.0/7,2001:db8::7/128', ['0.0.0.0/0', '10.0.0.0/7', '2001:db8::7/128']],
  ['addresses', '203.0.113.7/8', undefined],
  ['addresses', '203.0.113.1/31', undefined],
  ['addresses', '2001:db8::1/64', undefined],
  ['addresses', '2001:db8::/28', undefined],
  ['addresses', '::ffff:203.0.113.0/119', undefined],
  ['addresses', '::ffff:203.0.113.0/120', ['::ffff:203.0.113.0/120']],
  ['addresses', 'fe80::1%eth0', undefined],
  ['addresses', '203.0.113.7/', undefined],
  ['addresses', '203.0.113.0/33', undefined],
  ['addresses', '203.0.113.0/24/1', undefined],
  ['addresses', 'example.org', undefined],
  ['id-alias', 'other_id', 'other_id'],
  ['id-alias', '', ''],
  ['id-alias', 'with space', undefined],
  // Fields of responses, of a list inside one, of refusals, of public pages, of requests, of credentials.
  ...['vendor_id', 'unique_request_id', 'mnp', 'user_agent', 'code', 'error', 'docs', 'providers'].map(taken),
  ...['uid', 'phone', 'callback_url', 'mix', 'key', 'service_id'].map(taken),
  ['plain-http', 'off', false],
  ['plain-http', 'false', undefined],
  ['requests-per-second', 'default', null],
  ['requests-per-second', '100', 100],
  ['requests-per-second', '0', undefined],
  ['geography', 'RU,KZ,RU', ['RU', 'KZ']],
  ['geography', '*', undefined],
  // Unassigned, unassigned, the wrong code for the United Kingdom, a former country, a union.
  ...['XX', 'QQ', 'UK', 'SU', 'EU', 'ru', ''].map((code): Row => ['geography', `RU,${code}`, undefined]),
  ['modes', 'voice, flash', ['voice', 'flash']],
  ['modes', '', undefined],
  ['modes', 'fax', undefined],
  ['spend-day-max', '0.5', 500_000],
  ['spend-day-max', 'none', null],
  ['spend-day-max', '-1', undefined],
  ['inbound-seconds', '29', undefined],
  ['inbound-seconds', '300', 300],
  ['language', 'kk', 'kk'],
]

test('every setting accepts valid values and refuses the rest', () => {
  for (const [name, text, kept] of table) assert.deepEqual(serviceSettings[name].parse(text), kept, `${name} ${text}`)
})

test('a stored setting is shown in a form that can be typed again', () => {
  for (const [name, text, kept] of table) {
    if (kept === undefined) continue
    const { parse, show } = serviceSettings[name]
    const value = parse(text)
    assert(value !== undefined)
    assert.deepEqual(parse(show(value)), kept, `${name} ${text}`)
  }
})
