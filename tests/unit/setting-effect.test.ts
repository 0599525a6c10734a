import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceSettingName, SettingValue } from '../../server/src/domain/accounts/service.ts'
import { effectsOf } from '../../server/src/domain/accounts/setting-effect.ts'
import { dayMs, hourMs } from '../../server/src/domain/values/time.ts'

const past = {
  hours: [
    { hour: 0, calls: 5, charged: 5_000_000 },
    { hour: 23 * hourMs, calls: 4, charged: 4_000_000 },
    { hour: dayMs, calls: 3, charged: 3_000_000 },
  ],
  countries: [
    { country: 'RU', calls: 9 },
    { country: 'KZ', calls: 3 },
  ],
  modes: [
    { mode: 'flash', calls: 10 },
    { mode: 'inbound', calls: 2 },
  ],
}

test('what a change would have refused: each hour and UTC day over its cap, countries and modes that are not allowed', () => {
  const values = new Map<ServiceSettingName, SettingValue>([
    ['verifications-hour-max', 4],
    ['verifications-day-max', 7],
    ['spend-day-max', 8_999_999],
    ['geography', ['RU']],
    ['modes', ['flash']],
    ['name', 'Shop'],
  ])
  assert.deepEqual(effectsOf(values, past), [
    { name: 'verifications-hour-max', unit: 'calls', count: 1 },
    { name: 'verifications-day-max', unit: 'calls', count: 2 },
    { name: 'spend-day-max', unit: 'days', count: 1 },
    { name: 'geography', unit: 'calls', count: 3 },
    { name: 'modes', unit: 'calls', count: 2 },
  ])
})

test('without a cap, or with one that was met exactly, nothing would have been refused', () => {
  const values = new Map<ServiceSettingName, SettingValue>([
    ['verifications-hour-max', null],
    ['verifications-day-max', 9],
    ['spend-day-max', null],
  ])
  assert.deepEqual(
    effectsOf(values, past).map(({ count }) => count),
    [0, 0, 0],
  )
})
