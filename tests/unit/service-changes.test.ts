import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorSettings } from '@ringproof/contract/error-settings.ts'
import { methodRefusals } from '@ringproof/contract/method-errors.ts'
import { uncallableReasons } from '@ringproof/contract/phone-faults.ts'
import { settingNames, startRules } from '@ringproof/contract/web/setting-names.ts'
import {
  noCaps,
  type ServiceSettingName,
  type SettingValue,
  serviceSettings,
} from '../../server/src/domain/accounts/service.ts'
import {
  changesOf,
  conflictsOf,
  readSettings,
  recommendedSettings,
} from '../../server/src/domain/accounts/service-changes.ts'
import { checkedRules, settingsThatLift } from '../../server/src/domain/verifications/start-rules.ts'
import { Refusal } from '../../server/src/process/errors.ts'

const names = Object.keys(serviceSettings) as ServiceSettingName[]
const { values: saved } = readSettings(recommendedSettings(noCaps))
const settings = {
  ...Object.fromEntries(names.map((name) => [name, ''])),
  ...Object.fromEntries(saved),
} as Record<ServiceSettingName, SettingValue>

test('the page offers every setting except those that an operator and the statistics change', () => {
  assert.deepEqual(
    names.filter((name) => !settingNames.some((one) => one === name)),
    ['requests-per-second', 'provider-modes'],
  )
  assert.equal(new Set(settingNames).size, names.length - 2)
})

test('every recommended value can be saved', () => {
  assert.deepEqual(readSettings(recommendedSettings(noCaps)).mistakes, [])
})

test('a change is a value that differs, however it is written', () => {
  const { values, mistakes } = readSettings({ geography: 'RU, KZ', 'spend-day-max': '0100.50', repeats: 'maybe' })
  assert.deepEqual(mistakes, ['repeats'])
  assert.deepEqual(changesOf(settings, values), [{ name: 'spend-day-max', was: 'none', becomes: '100.5' }])
})

test('a setting that no longer has the value from which a person set out is a conflict', () => {
  assert.deepEqual(conflictsOf(settings, { geography: 'RU,KZ', 'spend-day-max': '5' }), ['spend-day-max'])
  assert.deepEqual(conflictsOf(settings, {}), [])
})

test('rules before the one that refused have passed, rules after it were not reached', () => {
  const all = { isTest: false, isLocalNumber: true, isAddressTested: true }
  const states = (refusal: Refusal | undefined, more = {}) =>
    Object.fromEntries(checkedRules({ ...all, refusal, ...more }).map(({ rule, state }) => [rule, state]))
  assert.deepEqual([...new Set(Object.values(states(undefined)))], ['passed'])
  const capped = states(new Refusal('capReached', { cap: '' }))
  assert.deepEqual(
    startRules.map((rule) => capped[rule]),
    [...Array.from({ length: 9 }, () => 'passed'), 'refused', 'not-reached', 'not-reached'],
  )
  // Another database has decided about the number before the caps were looked at.
  const far = states(new Refusal('numberCooldown'), { isLocalNumber: false })
  assert.deepEqual([far['number-limits'], far['caps'], far['money']], ['refused', 'not-reached', 'not-reached'])
  assert.equal(states(undefined, { isAddressTested: false })['address'], 'not-tested')
  assert.deepEqual(Object.keys(states(undefined, { isTest: true })), [
    'service',
    'address',
    'account',
    'number',
    'mode',
  ])
})

test('every refusal of a call start belongs to a rule', () => {
  const parameters = new Set<string>(['parameterMissing', 'parameterInGetBody', 'invalidParameter'])
  for (const name of methodRefusals.initCall.filter((one) => !parameters.has(one))) {
    const rules = checkedRules({
      refusal: new Refusal(name),
      isTest: false,
      isLocalNumber: true,
      isAddressTested: true,
    })
    assert.equal(rules.filter(({ state }) => state === 'refused').length, 1, name)
  }
})

test('the decision of the database names the setting that lifts it; test numbers have one, too', () => {
  const capped = new Refusal('capReached', { cap: '' })
  assert.deepEqual(settingsThatLift(capped, 'cap-spend'), ['spend-day-max'])
  assert.deepEqual(settingsThatLift(capped, undefined), errorSettings.capReached)
  assert.deepEqual(settingsThatLift(new Refusal('numberLimitReached'), 'used-up-all'), [])
  const phone = (reason: keyof typeof uncallableReasons) =>
    new Refusal('invalidPhone', { reason: uncallableReasons[reason] })
  assert.deepEqual(settingsThatLift(phone('testNumbersOff'), undefined), ['test-numbers'])
  assert.deepEqual(settingsThatLift(phone('neverCalled'), undefined), [])
})
