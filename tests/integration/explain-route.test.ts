// What `explain-route` says is what a real call then does: the same refusal or the same trunk, caller number, mode and price, for
// random numbers, modes, codes, services and trunks. It leaves no trace, and the number is nowhere in what it returns or logs.

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { setService } from '../../server/src/actions/accounts/services.ts'
import type { Database } from '../../server/src/db/core/database.ts'
import type { SettingTexts } from '../../server/src/domain/accounts/service-changes.ts'
import { slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { ask } from '../support/http/ask.ts'
import { importFictitiousRegistry } from '../support/numbering/fictitious-registry.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createOperator } from '../support/web/operator.ts'

const phones = await installPhones(0.05)
const environment = { ...phones.environment, RINGPROOF_NUMBERING_DIR: `${fileDirectory()}/numbering` }
await importFictitiousRegistry(environment)
const installation = { ...phones, environment }
const { slots } = installation
const settings = { RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail`, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base, output } = await serve(installation, settings)
const { visitor: operator } = await createOperator(installation, base, 'viewer')
const actor = { address: 'test', userAgent: '' }

type Asked = Omit<WebInput<'explain-route'>, 'serviceId'>
type Said = WebOutput<'explain-route'>

const pick = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item

let kazakh = 0

function anyCall(): Asked {
  const mode = pick(['flash', 'voice', 'mix'] as const)
  const code = pick(['', '', '0417', '5000', String(randomInt(1, 10_000)).padStart(4, '0')])
  const phone = pick([
    () => freshNumber('180'),
    () => freshNumber('404'),
    () => freshNumber('180'),
    () => `7701555${String(kazakh++).padStart(4, '0')}`,
    () => '79000000001',
    () => '442079460018',
    () => '78095550180',
    () => '12',
  ])()
  return { phone, mode, code }
}

// What becomes of a real start.
async function started(service: TestService, { phone, mode, code }: Asked) {
  const query = new URLSearchParams({
    phone,
    ...(code === '' ? {} : { code }),
    ...(mode === 'flash' ? {} : { [mode]: 'true' }),
  })
  const { json } = await ask(`${base}/v1.0/initCall?${query.toString()}`, { headers: service.bearer })
  if (json['status'] !== true) return { refusal: `${String(json['code'])} ${String(json['error'])}` }
  const { rows } = await slots.databaseOf(slotOfAccount(service.accountId)).query<{
    trunk: string
    caller: string
    mode: string
    price: number
    country: string
    code: string
    provider: string | null
  }>(
    `SELECT trunk, caller_number::text AS caller, mode, price, country, code, phone_info ->> 'mnp' AS provider
     FROM verifications WHERE id = $1`,
    [json['vendor_id']],
  )
  return { refusal: undefined, call: rows[0] }
}

// The API reads its trunks twice a second. Once it has seen that all were stopped, and then that they are not, it reads again
// after the last change.
async function readAgain(globalDatabase: Database, probe: TestService): Promise<void> {
  const isStopped = async () => {
    const { refusal } = await started(probe, { phone: freshNumber('180'), mode: 'flash', code: '0001' })
    return refusal?.includes('stopped all calls') === true
  }
  await globalDatabase.query(`INSERT INTO trunk_stops (reason) VALUES ('reading again')`)
  await poll('the API to stop its trunks', isStopped)
  await globalDatabase.query('DELETE FROM trunk_stops')
  await poll('the API to use its trunks again', async () => !(await isStopped()))
}

function refusalOf({ refusal }: Said): string | undefined {
  return refusal ? `${refusal.code} ${refusal.sentence.en}` : undefined
}

async function compare(service: TestService, asked: Asked): Promise<string> {
  const said = await operator.call('explain-route', { ...asked, serviceId: service.serviceId })
  const { refusal, call } = await started(service, asked)
  const name = JSON.stringify(asked)
  assert.equal(refusalOf(said), refusal, name)
  if (call === undefined) return said.refusal?.code === undefined ? '' : String(said.refusal.code)
  assert.deepEqual([said.mode, said.country, said.price], [call.mode, call.country, call.price / 1e6], name)
  assert.equal(said.provider, call.provider ?? '', name)
  if (said.isTest) return 'test'
  // Without a code, each draws one; the trunk is the one for the code that the call has drawn.
  const isDrawn = asked.code === '' && said.mode !== 'voice'
  const drawn = { ...asked, code: call.code, serviceId: service.serviceId }
  const { trunks } = isDrawn ? await operator.call('explain-route', drawn) : said
  assert.equal(trunks[0]?.name, call.trunk, name)
  if (!isDrawn) assert.equal(said.trunk, call.trunk, name)
  // One number of a trunk ends with each code, so a code has one caller number. Without one, another is drawn.
  const mask = `${call.caller.slice(0, 4)}***${call.caller.slice(-4)}`
  if (asked.code !== '' && said.mode !== 'voice') assert.equal(said.callerNumber, mask, name)
  else assert.match(said.callerNumber ?? '', /^7[07]00\*\*\*\d{4}$/, name)
  return said.trunk ?? ''
}

const services: readonly SettingTexts[] = [
  {},
  {},
  { geography: 'KZ' },
  { modes: 'voice,inbound' },
  { 'verifications-hour-max': '0' },
  { 'provider-modes': 'Ромашка Связь=mix' },
  { 'quiet-hours': '00:00-23:59', 'time-zone': 'Europe/Moscow' },
]

test('for random calls it says what the call then does, whichever trunks and numbers are in use', async () => {
  const { globalDatabase } = slots
  const worlds: readonly (readonly string[])[] = [
    [],
    [`UPDATE trunks SET is_on = false WHERE name = 'first'`],
    [`UPDATE trunks SET is_on = true`, `UPDATE trunks SET countries = '{KZ}' WHERE name = 'first'`],
    [
      `UPDATE trunks SET countries = '{*}'`,
      `INSERT INTO caller_quarantines (trunk, first_number, last_number, reason) VALUES
         ('first', 70000000000, 70000004999, 'x'), ('second', 70000010417, 70000010417, 'x')`,
    ],
    [`UPDATE trunks SET is_on = false`],
  ]
  const seen = new Map<string, number>()
  for (const [at, changes] of worlds.entries()) {
    for (const change of changes) await globalDatabase.query(change)
    const probe = await makeService(installation)
    const expected = ['first', 'second', 'second', 'second', ''][at] ?? ''
    await readAgain(globalDatabase, probe)
    const { call } = await started(probe, { phone: freshNumber('180'), mode: 'flash', code: '0001' })
    assert.equal(call?.trunk ?? '', expected, `the API routes as in world ${at}`)
    for (const texts of services) {
      const service = await makeService(installation)
      if (Object.keys(texts).length > 0) await setService(installation, actor, { serviceId: service.serviceId, texts })
      for (let n = 0; n < 6; n++) {
        const outcome = await compare(service, anyCall())
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
    }
  }
  // The cases were there.
  for (const outcome of ['first', 'second', '3', '5', '20', '50']) assert((seen.get(outcome) ?? 0) > 0, outcome)
  await globalDatabase.query('DELETE FROM caller_quarantines')
  await globalDatabase.query(`UPDATE trunks SET is_on = true, countries = '{*}'`)
})

test('trunks that take no part say why, and the default tariff has its price', async () => {
  const { globalDatabase } = slots
  await globalDatabase.query(`INSERT INTO trunks (name, channels, calls_per_second, priority, is_on, countries) VALUES
    ('far', 1, 1, 0, true, '{KZ}'), ('dark', 1, 1, 0, false, '{*}'), ('bare', 1, 1, 0, true, '{*}')`)
  await globalDatabase.query(`INSERT INTO caller_quarantines (trunk, first_number, last_number, reason)
    VALUES ('second', 70000010417, 70000010417, 'x')`)
  const phone = freshNumber('180')
  const said = await operator.call('explain-route', { phone, mode: 'flash', code: '0417', serviceId: null })
  assert.deepEqual(
    said.trunks.map(({ name, part }) => `${name} ${part}`),
    ['first tried', 'second no-code', 'bare no-number', 'far elsewhere', 'dark off'],
  )
  assert.deepEqual([said.trunk, said.callerNumber, said.price, said.tariff], ['first', '7000***0417', 0.4, 'uni'])
  assert.deepEqual(
    said.rules.filter(({ state }) => state === 'not-tested').map(({ rule }) => rule),
    ['service', 'address', 'account', 'country', 'opt-out', 'caps', 'money', 'number-limits'],
  )
  const cli = createCli({ ...environment, RINGPROOF_NUMBERING_DIR: '' })
  const { out } = await cli.run('routes', 'explain', phone, '--code', '0417')
  assert.match(out, /A flash call goes out over trunk first and shows 7000\*\*\*0417\./)
  assert.match(out, /second +1 +no caller number ends with the code/)
  assert(!out.includes(phone))
  const json = await cli.json<Record<string, unknown>>('routes', 'explain', phone, '--code', '0417')
  assert.deepEqual([json['trunk'], json['price'], json['refusal']], ['first', 0.4, null])
})

test('it leaves no trace: no row, no money, and the number is not in the answer or in the log', async () => {
  const service = await makeService(installation)
  const phone = freshNumber('180')
  const database = slots.databaseOf(slotOfAccount(service.accountId))
  const rowsOf = async () => {
    const texts: string[] = []
    for (const name of ['verifications', 'ledger', 'subscriber_numbers', 'service_usage', 'action_log']) {
      const { rows } = await database.query<{ text: string }>(`SELECT count(*)::text AS text FROM ${name}`)
      texts.push(`${name} ${rows[0]?.text ?? ''}`)
    }
    const { rows } = await database.query('SELECT balance FROM accounts WHERE id = $1', [service.accountId])
    return [...texts, JSON.stringify(rows)]
  }
  // The calls of the tests before end first.
  await poll(
    'every call to end',
    () => database.query('SELECT FROM verifications WHERE ended_at IS NULL'),
    ({ rowCount }) => rowCount === 0,
  )
  const before = await rowsOf()
  for (const mode of ['flash', 'voice', 'mix'] as const) {
    const said = await operator.call('explain-route', { phone, mode, code: '', serviceId: service.serviceId })
    assert.equal(said.refusal, null)
    assert(!JSON.stringify(said).includes(phone.slice(1)))
  }
  assert.deepEqual(await rowsOf(), before)
  assert(!output().includes(phone.slice(1)))
  assert.equal(
    (await operator.refused('explain-route', { phone, mode: 'flash', code: '0000', serviceId: null })).status,
    400,
  )
  assert.equal(
    (await operator.refused('explain-route', { phone, mode: 'flash', code: '', serviceId: 4_000_064 })).status,
    404,
  )
})
