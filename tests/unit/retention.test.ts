// How long everything is kept is in one table of the domain: what is deleted by its age, and what is said about it, follow from there.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { logPeriods } from '../../contract/src/lists/requests.ts'
import { slotTables, stayingTables } from '../../server/src/db/core/slot-tables.ts'
import { windowMinutes } from '../../server/src/domain/protection/prefix-breaker.ts'
import { countedMs } from '../../server/src/domain/trunks/switch-over.ts'
import {
  days,
  hours,
  inEnglish,
  inRussian,
  minutes,
  msOf,
  ofMs,
  seconds,
} from '../../server/src/domain/values/period.ts'
import { retention } from '../../server/src/domain/values/retention.ts'
import { dayMs, hourMs, minuteMs, weekMs } from '../../server/src/domain/values/time.ts'
import { startDeadlineMs } from '../../server/src/domain/verifications/verification.ts'

const database = join(import.meta.dirname, '../../server/src/db')
const words = join(import.meta.dirname, '../../web/src/words')

test('what is kept outlasts what reads it', () => {
  const listedMs: Readonly<Record<(typeof logPeriods)[number], number>> = { '1h': hourMs, '24h': dayMs, '7d': weekMs }
  const read = {
    apiRequests: Math.max(...logPeriods.map((period) => listedMs[period])),
    // The limits of a number look back a day, by a clock that may be a day ahead.
    numbers: 2 * dayMs,
    subscriberKeys: dayMs,
    fraudRuleHours: weekMs + hourMs,
    unmatchedCalls: dayMs + hourMs,
    prefixMinutes: windowMinutes * minuteMs,
    prefixUsage: hourMs,
    routeMinutes: countedMs,
    callOrders: startDeadlineMs,
  } as const
  for (const [name, { kept }] of Object.entries(retention)) {
    const readMs = Object.entries(read).find(([one]) => one === name)?.[1] ?? 0
    assert(msOf(kept) >= readMs, `${name}: kept for ${inEnglish(kept)}, read for ${inEnglish(ofMs(readMs))}`)
  }
})

// A new table is in the table of retention or here.
const keptOtherwise = [
  // As long as the account, the trunk, the person or the installation, or until somebody removes it.
  'accounts account_emails services start_steps legal_details api_keys client_hints service_usage users memberships',
  'recovery_codes passkeys tariffs tariff_prices trunks trunk_states trunk_return_paths trunk_costs caller_ranges',
  'installation fraud_limits virtual_phones virtual_phone_faults notice_mutes notice_webhooks payment_settings',
  'switch_over_control trunk_stops announcements opt_outs key_checks',
  // For ever.
  'ledger_days payment_references page_payments invoices action_log action_chain restores',
  // Until a time that is in the row, or until it is sent, folded or copied.
  'allowed_prefixes full_prefixes caller_quarantines telegram_codes notice_messages call_minutes',
  'slot_changes',
  // One row, or one for each slot or file.
  'slot_counters slot_moves migrations repeatable_migrations schema_version clock_mark sweep_marks call_count_marks',
  'fraud_progress',
].flatMap((names) => names.split(' '))

test('of every table it is known how long its rows are kept', () => {
  const all = [...slotTables.map(({ name }) => name), ...stayingTables]
  const places: readonly string[] = Object.values(retention).flatMap((one) => [...one.in])
  const timed = all.filter((name) => places.some((place) => place.split(' ')[0] === name))
  assert(timed.length > 20)
  assert.deepEqual([...timed, ...keptOtherwise].toSorted(), all.toSorted())
})

// In functions/*.sql, how often. None of them says how long something is kept.
const otherIntervals: Readonly<
  Record<string, readonly (readonly [literal: string, times: number, meaning: string])[]>
> = {
  'accept-calls.sql': [
    ['1 hour', 1, 'the clock hour of a cap'],
    ['24 hours', 1, 'the day of a cap'],
  ],
  'api-requests.sql': [
    ['1 hour', 5, 'the length of a partition, and of what is counted in one row'],
    ['49 hours', 1, 'partitions that are made ahead'],
  ],
  'chain-actions.sql': [['1 hour', 1, 'longer than any transaction']],
  'evaluate-number-limits.sql': [['1 day', 1, 'the window of a limit']],
  'ladders.sql': [['secs => 1', 1, 'between two tries to dispatch a call']],
  'notice-conditions.sql': [
    ['7 days', 3, 'what is usual'],
    ['30 minutes', 1, 'the calls of a condition'],
    ['24 hours', 1, 'the webhooks of a condition'],
    ['30 days', 1, 'when a key counts as unused'],
  ],
  'prefix-statistics.sql': [
    ['1 minute', 2, 'the unit of the scale'],
    ['1 hour', 1, 'the clock hour of a cap'],
  ],
  'start-inbound-requests.sql': [['10 seconds', 1, 'the window of a limit']],
  'subscriber-number.sql': [['1 day', 1, 'the window of a limit']],
  'sweep.sql': [['1 hour', 1, 'an inbound verification that the sweep of its request has missed']],
}

test('no SQL function says by itself how long something is kept', () => {
  const found = globSync('functions/*.sql', { cwd: database })
    .filter((file) => !file.endsWith('/rules.sql'))
    .flatMap((file) =>
      intervalsIn(withoutComments(file)).map((literal) => `${file.replace('functions/', '')} ${literal}`),
    )
  const known = Object.entries(otherIntervals).flatMap(([file, list]) =>
    list.flatMap(([literal, times]) => Array.from({ length: times }, () => `${file} ${literal}`)),
  )
  assert.deepEqual(found.toSorted(), known.toSorted())
})

test('no statement in db deletes by an age that is written in it', () => {
  const statements = globSync('**/*.ts', { cwd: database }).flatMap((file) =>
    textsIn(readFileSync(join(database, file), 'utf8')).map((text) => [file, text] as const),
  )
  const deletes = statements.filter(([, text]) => /DELETE FROM/.test(text))
  assert(deletes.length > 20)
  assert.deepEqual(
    deletes.filter(([, text]) => saysAge(text)),
    [],
  )
  assert(saysAge("DELETE FROM a WHERE b < clock_timestamp() - interval '7 days'"))
  assert(saysAge('DELETE FROM a WHERE b < clock_timestamp() - make_interval(days => 7)'))
})

test('the words of the pages name no period for which something is kept or works', () => {
  const found = globSync('*.ts', { cwd: words })
    .filter((file) => file !== 'kept.ts')
    .flatMap((file) =>
      textsIn(readFileSync(join(words, file), 'utf8'))
        .filter(saysKept)
        .map((text) => `${file}: ${text}`),
    )
  assert.deepEqual(found, [])
  for (const text of [
    'Kept for 7 days. Every refusal is here.',
    'it is older than seven days, or it is not in the sample.',
    'Its link works for an hour.',
    'Храним 7 дней.',
    'Ссылка действует час.',
    'хранятся не дольше 72 часов.',
    'самое позднее через тридцать минут после звонка',
  ])
    assert(saysKept(text), text)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as in the file.
  assert(!saysKept('Kept for ${kept.en.apiRequests}. Of the last 7.'))
  assert(!saysKept('No webhooks in the last 24 hours'))
})

test('a period is said in English and in Russian, in the form that its number asks for', () => {
  const said = [days(1), days(7), hours(1), hours(72), hours(24), minutes(30), minutes(21), seconds(60)].map(
    (period) => [inEnglish(period), inRussian(period), inRussian(period, 'genitive')],
  )
  assert.deepEqual(said, [
    ['a day', 'день', 'дня'],
    ['7 days', '7 дней', '7 дней'],
    ['an hour', 'час', 'часа'],
    ['72 hours', '72 часа', '72 часов'],
    ['24 hours', '24 часа', '24 часов'],
    ['30 minutes', '30 минут', '30 минут'],
    ['21 minutes', '21 минуту', '21 минуты'],
    ['60 seconds', '60 секунд', '60 секунд'],
  ])
  assert.deepEqual([ofMs(2 * hourMs), ofMs(90 * minuteMs), ofMs(1_000)], [hours(2), minutes(90), seconds(1)])
})

function withoutComments(file: string): string {
  return readFileSync(join(database, file), 'utf8').replace(/--.*$/gm, '')
}

function intervalsIn(sql: string): readonly string[] {
  return [...sql.matchAll(/interval '([^']*)'|make_interval\((\w+ => \d+)/g)].map((found) => found[1] ?? found[2] ?? '')
}

function saysAge(statement: string): boolean {
  return intervalsIn(statement).length > 0
}

// What stands between quotes, without what is put in.
function textsIn(source: string): readonly string[] {
  const code = source.replace(/^\s*\/\/.*$/gm, '')
  return [...code.matchAll(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/g)].map(([text]) => text.replace(/\$\{[^}]*\}/g, '…'))
}

const number =
  '(?:\\d+|an?(?! second)|one|two|three|five|seven|ten|thirty|один|одну|дв[аеу]\\S*|три|пят[ьи]|сем[ьи]|десят[ьи]|тридцат[ьи])'
const unit = '(?:seconds?|minutes?|hours?|days?|weeks?|секунд|минут|час|дн[яей]|ден|сут|недел)'
const period = new RegExp(`(?<![\\p{L}\\d])(?:${number}[\\s\\u00a0]${unit}|час(?!\\p{L})|сутки|неделю)`, 'iu')
const lasting =
  /(?<!\p{L})(kept|keeps?|stored|stores|erased|deleted|older than|works? for|valid for|matched for|opens read-only|after the call|хран|стира|удаля|старше|действует|работает|этого хватит|принимаем|откроется|после звонка)/iu

function saysKept(text: string): boolean {
  return text.split(/[.!?]\s/).some((sentence) => lasting.test(sentence) && period.test(sentence))
}
