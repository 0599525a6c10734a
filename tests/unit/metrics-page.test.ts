// docs/operations/metrics.md and the metrics of the server are the same list.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mock, test } from 'node:test'
import { type Metric, Registry } from 'prom-client'
import { createEvents } from '../../server/src/process/metrics/events.ts'

const page = readFileSync(new URL('../../docs/operations/metrics.md', import.meta.url), 'utf8')

type Listed = {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
  readonly help: string
}

// As the registry gets them. Their types leave out what every metric has.
type Registered = Metric & { readonly name: string; readonly help: string; readonly labelNames: readonly string[] }

const register = mock.method(Registry.prototype, 'registerMetric')
createEvents('test', () => 0)
const registered = register.mock.calls.map(({ arguments: [metric] }) => metric as Registered)
const own = registered
  .filter(({ name }) => name.startsWith('ringproof_'))
  .map((metric) => ({
    name: metric.name,
    type: metric.constructor.name.toLowerCase(),
    labels: metric.labelNames,
    help: metric.help,
  }))

test('the page lists every metric with its type, labels and help text, and no other', () => {
  assert(own.length > 30)
  assert.deepEqual(differences(own, page), [])
})

test('all other metrics are those of the process and of Node', () => {
  const others = registered.filter(({ name }) => !/^(ringproof|process|nodejs)_/.test(name))
  assert.deepEqual(others, [])
})

test('names end with their unit or with total, and labels are bounded', () => {
  const bounded =
    /^(trunk|mode|outcome|sip_status|country|database|rule|step|role|state|version|api_method|http_status|code|cause|result|registry|stanza|setting)$/
  for (const { name, type, labels } of own) {
    assert.equal(type === 'counter', name.endsWith('_total'), name)
    if (type === 'histogram') assert.match(name, /_seconds$/)
    for (const label of labels) assert.match(label, bounded, name)
  }
})

const shortPage = '| `ringproof_a_total` | counter | `trunk` | Calls. |\n| `ringproof_b` | gauge | – | Up. |\n'
const shortList: readonly Listed[] = [
  { name: 'ringproof_a_total', type: 'counter', labels: ['trunk'], help: 'Calls.' },
  { name: 'ringproof_b', type: 'gauge', labels: [], help: 'Up.' },
]

test('finds a metric that is not on the page, a stale row, and another type, label or help text', () => {
  assert.deepEqual(differences(shortList, shortPage), [])
  const [first, second] = shortList
  assert(first && second)
  for (const changed of [
    [first],
    [...shortList, { ...second, name: 'ringproof_c' }],
    [first, { ...second, type: 'counter' }],
    [first, { ...second, labels: ['trunk'] }],
    [first, { ...second, help: 'Down.' }],
  ]) {
    assert(differences(changed, shortPage).length > 0, JSON.stringify(changed))
  }
})

function differences(metrics: readonly Listed[], text: string): readonly string[] {
  const inCode = metrics.map(({ name, type, labels, help }) => `${name} ${type} (${labels.join(', ')}) ${help}`)
  const rows = [...text.matchAll(/^\| `(ringproof_\w+)` \| (\w+) \| ([^|]*) \| ([^|]+) \|$/gm)]
  const onPage = rows.map(([, name, type, labels = '', help]) => {
    const names = [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label)
    return `${name} ${type} (${names.join(', ')}) ${help}`
  })
  return [
    ...inCode.filter((one) => !onPage.includes(one)).map((one) => `not on the page: ${one}`),
    ...onPage.filter((one) => !inCode.includes(one)).map((one) => `no such metric: ${one}`),
  ]
}
