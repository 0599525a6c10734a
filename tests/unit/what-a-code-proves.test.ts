// The figures of docs/operations/what-a-code-proves.md are those of the code: a changed limit makes its sentence wrong.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { refusals } from '@ringproof/contract/errors.ts'
import { cooldownSeconds } from '@ringproof/contract/limits.ts'
import { StartVerification } from '@ringproof/contract/v2/verification.ts'
import { countriesByMode } from '../../server/src/domain/accounts/modes.ts'
import { everyCode } from '../../server/src/domain/trunks/caller-pool.ts'
import { confirmedToEnforce } from '../../server/src/domain/trunks/trunk.ts'
import { guessesPerDay, ladderCallsMax, ladderLastCallMs } from '../../server/src/domain/verifications/ladder.ts'
import { callsPerDayOverAll, shortWindowMs } from '../../server/src/domain/verifications/number-limits.ts'
import { freeRepeatsMax, repeatWindowMs } from '../../server/src/domain/verifications/repeat.ts'
import { readConfig } from '../../server/src/process/config/config.ts'

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const page = read('docs/operations/what-a-code-proves.md').replaceAll(/\s+/g, ' ')
const deciding = read('docs/guides/deciding.md')
const verify = read('docs/guides/verify.md').replaceAll(/\s+/g, ' ')
const columns = read('server/src/db/migrations/0005_services.sql')
const defaultOf = (column: string) => Number(new RegExp(`${column} integer NOT NULL DEFAULT (\\d+)`).exec(columns)?.[1])
const callsPerDay = defaultOf('calls_per_number_day')

test('the table has the odds of every number of guesses', () => {
  const rows = [...page.matchAll(/\| (\d+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|/g)]
  assert.equal(rows.length, 4)
  for (const [, guesses, ...odds] of rows) {
    const right = [1, callsPerDay, callsPerDayOverAll].map(
      (calls) => 1 - (1 - Number(guesses) / everyCode.length) ** calls,
    )
    assert.deepEqual(
      odds,
      right.map((one) => (one * 100).toFixed(3)),
      `${guesses} guesses`,
    )
  }
})

test('the page "Can I do this at all?" has the odds with fewer caller numbers', () => {
  const rows = [...deciding.matchAll(/^\| (\d+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|$/gm)]
  assert.equal(rows.length, 4)
  assert.equal(Number(rows[0]?.[1]), everyCode.length)
  for (const [, codes, ...odds] of rows) {
    const right = [1, 3, undefined].map((guesses) =>
      guesses === undefined ? 1 - (1 - 3 / Number(codes)) ** callsPerDay : guesses / Number(codes),
    )
    assert.deepEqual(
      odds,
      right.map((one) => (one * 100).toFixed(2)),
      `${codes} codes`,
    )
  }
  assert(deciding.includes(`three guesses in each of ${callsPerDay} calls`))
  assert(deciding.includes(`${callsPerDay} times in 24 hours`))
  assert(deciding.includes(`refused with code ${refusals.noCallerNumber.code}`))
})

test('the sentences have the limits of the program', () => {
  const { newServiceCaps } = readConfig({
    RINGPROOF_DATABASE_URL: 'postgres://127.0.0.1/none',
    RINGPROOF_SECRETS_DIR: 'none',
  })
  const cap = Number(newServiceCaps['verifications-day-max'])
  const sentences = [
    `Codes are ${everyCode[0]} to ${everyCode.at(-1)}`,
    `${callsPerDay} times in 24 hours, at most ${defaultOf('calls_per_number_10_minutes')} times in ten minutes`,
    `called more than ${callsPerDayOverAll} times in 24 hours`,
    `twice within ${cooldownSeconds} seconds`,
    `${callsPerDay} calls, the default of a day | ${callsPerDayOverAll} calls, the most of a day`,
    `At ${cap} verifications, the daily cap of a new service`,
    `enforces this after ${confirmedToEnforce} confirmed calls`,
    `three guesses per code open ${((3 * cap) / everyCode.length).toFixed(1)} accounts a day`,
  ]
  assert.deepEqual(
    sentences.filter((sentence) => !page.includes(sentence)),
    [],
  )
  assert.deepEqual(
    [shortWindowMs, freeRepeatsMax, repeatWindowMs],
    [600_000, 2, 300_000],
    'ten minutes, two, five minutes',
  )
  assert.deepEqual([countriesByMode.voice, countriesByMode.mix], [['RU', 'KZ'], ['RU']])
})

test('the guide to the Verify API has the odds and the limits of the program', () => {
  const { newServiceCaps } = readConfig({
    RINGPROOF_DATABASE_URL: 'postgres://127.0.0.1/none',
    RINGPROOF_SECRETS_DIR: 'none',
  })
  const cap = Number(newServiceCaps['verifications-day-max'])
  const checks = Number(Reflect.get(StartVerification.properties.checks, 'default'))
  const ofDay = guessesPerDay / everyCode.length
  const percent = (share: number, digits: number) => `in ${(share * 100).toFixed(digits)} % of cases`
  const sentences = [
    `Codes are ${everyCode[0]} to ${everyCode.at(-1)}`,
    `the three checks of a verification | ${percent(checks / everyCode.length, 3)}`,
    `the ten wrong codes of one number and account in a day | ${percent(ofDay, 3)}`,
    `on each of 365 days | ${percent(1 - (1 - ofDay) ** 365, 1)}`,
    `starts ${cap} verifications`,
    `three checks each | ${((checks * cap) / everyCode.length).toFixed(1)} times a day`,
    `then it is ${(cap / everyCode.length).toFixed(1)}`,
    `at least ${cooldownSeconds} seconds apart`,
    `none in its last ${ladderLastCallMs / 1_000} seconds`,
  ]
  assert.deepEqual(
    sentences.filter((sentence) => !verify.includes(sentence)),
    [],
  )
  assert.deepEqual([checks, guessesPerDay, ladderCallsMax], [3, 10, 6], 'three, ten, six')
})
