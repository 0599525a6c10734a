// Runs as `npm run verify -- boards`: what an operator watches is true. A real Prometheus scrapes real processes under traffic, and
// answers every query of every board and every selector of every rule. promtool's own tests cannot find a wrong name, because
// they invent their series.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import {
  type BoardQuery,
  commandFaults,
  queriesIn,
  queryFaults,
  runbookFaults,
  selectorFaults,
} from '../support/prometheus/check-boards.ts'
import { startObservedInstallation } from '../support/prometheus/observed-installation.ts'
import { type Prometheus, promtool, type Rule, startPrometheus } from '../support/prometheus/prometheus.ts'

const repository = join(import.meta.dirname, '../..')
const observability = join(repository, 'deploy/observability')
const rulesFile = join(observability, 'rules.yml')
const rulesTests = ['rules.test.yml', 'rules.week.test.yml'].map((name) => join(observability, name))
const page = readFileSync(join(repository, 'docs/operations/alerts.md'), 'utf8')
const metrics = [
  ...readFileSync(join(repository, 'docs/operations/metrics.md'), 'utf8').matchAll(/^\| `(ringproof_\w+)` \| (\w+) /gm),
].map(([, name = '', type]) => ({ name, type }))
const boards = readdirSync(join(observability, 'boards')).filter((name) => name.endsWith('.json'))
const queries = boards.flatMap((name) => queriesIn(readFileSync(join(observability, 'boards', name), 'utf8')))
// Series must grow while they are scraped, or every rate is 0.
const rounds = 4

const { targets, makeTraffic } = await startObservedInstallation()
const prometheus: Prometheus = await startPrometheus(targets, rulesFile)
let rules: readonly Rule[]

before(async () => {
  for (let round = 0; round < rounds; round++) await makeTraffic()
  rules = await prometheus.rules()
})

test('every query of every board finds series with the labels of its legend', async (t) => {
  assert(boards.length === 4 && queries.length > 60)
  t.diagnostic(`${boards.length} boards, ${queries.length} queries`)
  assert.deepEqual(await faultsOf(queries, (query) => queryFaults(prometheus, query)), [])
})

test('every selector of every rule finds series', async (t) => {
  const selectors = await Promise.all(rules.map(({ query }) => prometheus.selectors(query)))
  const alerts = alertsIn(rules)
  t.diagnostic(
    `${alerts.length} alerts, ${rules.length - alerts.length} recording rules, ${selectors.flat().length} selectors`,
  )
  assert(alerts.length >= 27)
  assert.deepEqual(await faultsOf(rules, (rule) => selectorFaults(prometheus, rule)), [])
})

test('the real scrape has every metric of the page that does not wait for a fault', async (t) => {
  const absent: string[] = []
  for (const { name, type } of metrics) {
    const series = await prometheus.series(type === 'histogram' ? `${name}_count` : name)
    if (series.length === 0) absent.push(name)
  }
  t.diagnostic(`${metrics.length - absent.length} of ${metrics.length} metrics have series`)
  // The first counts only failures, by step; the second needs a collector of traces.
  assert.deepEqual(absent, ['ringproof_keeper_housekeeping_failures_total', 'ringproof_trace_spans_total'])
})

test('promtool accepts the rules, and each alert fires in its tests', async () => {
  await promtool('check', 'rules', rulesFile)
  await promtool('test', 'rules', ...rulesTests)
  const texts = rulesTests.map((file) => readFileSync(file, 'utf8')).join('\n')
  const untested = alertsIn(rules).filter(({ name }) => !texts.includes(`alertname="${name}"`))
  assert.deepEqual(untested, [])
})

test('every alert has its runbook, and every runbook its alert', () => {
  assert.deepEqual(runbookFaults(alertsIn(rules), page), [])
  const named = [...page.matchAll(/\bringproof[_:][\w:]+/g)].map(([name]) => name.replace(/_bucket$/, ''))
  const known = new Set([...metrics.map(({ name }) => name), ...rules.map(({ name }) => name)])
  assert(named.length > 10)
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  )
})

test('every command of the runbooks exists, with its options', async () => {
  assert.deepEqual(await commandFaults(page), [])
  for (const seeded of ['trunks lists', 'trunk list', 'stats --buy trunk', 'doctors']) {
    assert.equal((await commandFaults(`\`ringproof ${seeded}\``)).length, 1, seeded)
  }
})

test('finds a misspelt metric, label, legend and function in a board', async () => {
  const rate = 'sum by (trunk) (rate(ringproof_calls_total[1m]))'
  const sound: BoardQuery = { where: 'board', expression: rate, legend: '{{trunk}}' }
  assert.deepEqual(await queryFaults(prometheus, sound), [])
  for (const [fault, change] of [
    [/no series/, { expression: rate.replace('calls', 'cals') }],
    [/no series/, { expression: rate.replace('[1m]', '{trunck="first"}[1m]') }],
    [/without the label trunck/, { legend: '{{trunck}}' }],
    [/without the label trunk/, { expression: rate.replace('by (trunk)', 'by (trunck)') }],
    [/only NaN/, { expression: `${rate} * NaN` }],
    [/refused/, { expression: rate.replace('rate', 'rat') }],
  ] as const) {
    const [found = 'nothing'] = await queryFaults(prometheus, { ...sound, ...change })
    assert.match(found, fault, JSON.stringify(change))
  }
})

test('finds an alert on a metric or label value that does not exist', async () => {
  const rule: Rule = { name: 'Seeded', type: 'alerting', query: 'ringproof_trunk_up == 0 or up{job="ringproof"} == 0' }
  assert.deepEqual(await selectorFaults(prometheus, rule), [])
  for (const query of [
    rule.query.replace('trunk_up', 'trunk_is_up'),
    rule.query.replace('job="ringproof"', 'job="rings"'),
    'rate(ringproof_calls_total{status="503"}[5m] offset 7d) > 0',
  ]) {
    assert.equal((await selectorFaults(prometheus, { ...rule, query })).length, 1, query)
  }
})

test('finds an alert without a runbook, a runbook without an alert, a missing part and a wrong link', () => {
  const alerts = alertsIn(rules)
  const [first, ...others] = alerts
  assert(first)
  const moved = { ...first, annotations: { ...first.annotations, runbook_url: 'docs/operations/alerts.md#other' } }
  for (const [fault, found] of [
    [/PddHigh: no runbook/, runbookFaults(alerts, page.replace('## PddHigh', '## PddLow'))],
    [/: no such alert/, runbookFaults(others, page)],
    [/no part Fix/, runbookFaults(alerts, page.replace('- **Fix:** ', '- '))],
    [/runbook_url/, runbookFaults([moved, ...others], page)],
  ] as const) {
    assert.match(found.join('\n'), fault)
  }
})

function alertsIn(all: readonly Rule[]): readonly Rule[] {
  return all.filter(({ type }) => type === 'alerting')
}

async function faultsOf<T>(items: readonly T[], check: (item: T) => Promise<readonly string[]>) {
  return (await Promise.all(items.map(check))).flat()
}
