// Numbering data changes under load: no request is refused, and no response mixes old and new data.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { writeLetteredRegistry } from '../support/numbering/lettered-registry.ts'
import { poll } from '../support/poll.ts'
import { ringproof } from '../support/process/cli.ts'
import { installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const directory = fileDirectory()
const phones = await installPhones(0.1)
const environment = { ...phones.environment, RINGPROOF_NUMBERING_DIR: `${directory}/numbering` }
const installation = { ...phones, environment }
for (const letter of ['A', 'B']) writeLetteredRegistry(`${directory}/${letter}.csv`, letter)

const registry = async (...args: string[]) => {
  const { status, out, err } = await ringproof(environment, 'registry', ...args)
  assert.equal(status, 0, out + err)
}
await registry('import', `${directory}/A.csv`)
const [first, second] = await Promise.all([serve(installation), serve(installation)])
const service = await makeService(installation, 10_000)

const check = ({ bearer }: TestService, phone: string, base: string) =>
  ask(`${base}/v1.0/checkPhone?phone=${phone}`, { headers: bearer })

// The version that a response comes from; there must be exactly one.
async function letterAt(base: string): Promise<string> {
  const { status, json, text } = await check(service, '79070000001', base)
  assert.equal(status, 200, text)
  const letters = ['company', 'region', 'city', 'provider'].map((name) => String(json[name]).replaceAll(/[^AB]/g, ''))
  assert.equal(new Set(letters).size, 1, text)
  return letters[0] ?? ''
}

async function bothServe(letter: string): Promise<void> {
  for (const base of [first.base, second.base]) {
    await poll(
      `version ${letter} to be in force`,
      () => letterAt(base),
      (served) => served === letter,
    )
  }
}

test('when versions change under load, no request fails and no response mixes two versions', async () => {
  const counts = { A: 0, B: 0 } as Record<string, number>
  const over = new AbortController()
  const callers = Array.from({ length: 8 }, async (_, at) => {
    while (!over.signal.aborted) {
      const letter = await letterAt(at % 2 ? first.base : second.base)
      counts[letter] = (counts[letter] ?? 0) + 1
    }
  })
  const changes = (async () => {
    await bothServe('A')
    await registry('import', `${directory}/B.csv`)
    await bothServe('B')
    await registry('rollback')
    await bothServe('A')
    await registry('rollback')
    await bothServe('B')
    over.abort()
  })()
  await Promise.all([...callers, changes.finally(() => over.abort())])
  assert(
    Object.keys(counts).length === 2 && counts['A'] && counts['B'] && counts['A'] + counts['B'] > 100,
    JSON.stringify(counts),
  )
})

test('a call to a number in the registry shows its operator; a number missing there is not called', async () => {
  const { json } = await ask(`${first.base}/v1.0/initCall?phone=79070001180`, { headers: service.bearer })
  const { phone_info: info } = await settled(first.base, service, json['vendor_id'])
  assert.deepEqual(info, [{ operator: 'Связь B', region: 'Край B', mnp: 'Связь B' }])
  const refused = await ask(`${first.base}/v1.0/initCall?phone=79080001180`, { headers: service.bearer })
  assert.deepEqual([refused.status, refused.json['code']], [400, 3])
  const unknown = await check(service, '79080001180', first.base)
  assert.match(String(unknown.json['error']), /No operator/)
})

test('damaged data is logged and the old version stays; a process that starts then has the numbering plans alone', async () => {
  writeFileSync(`${directory}/numbering/current.json`, '{"format":')
  await Promise.all([first, second].map(({ says }) => says('numbering data load failed')))
  await bothServe('B')
  const third = await serve(installation)
  assert.match(third.output(), /numbering data load failed/)
  const { json } = await check(service, '79070000001', third.base)
  assert.deepEqual([json['country_iso'], json['company'], json['region']], ['RU', '', ''])
})
