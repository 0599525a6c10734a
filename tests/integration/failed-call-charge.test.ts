// A tariff may charge failed calls. Even then a call that no carrier has taken is free.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, prices, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'

const installation = await installPhones(0.1)
const { base } = await serve(installation)
const service = await makeService(installation)
const flash = prices.flash / 1e6

async function call(phone: string): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await ask(`${base}/v1.0/initCall?phone=${phone}`, { headers: service.bearer })
  return settled(base, service, json['vendor_id'])
}
const balance = async () =>
  Number((await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })).json['rub_balance'])
const cli = createCli(installation.environment)
const charge = (word: string) => cli.run('tariffs', 'set', '--charge-failed', word)

test('failed calls are charged while the tariff says so, and the ledger is consistent', async () => {
  assert.deepEqual([(await call(freshNumber('404')))['cost'], await balance()], [0, 100])

  assert.match((await charge('on')).out, /uni now charges failed calls/)
  assert.match((await charge('on')).out, /already/)
  assert.match((await charge('maybe')).err, /--charge-failed takes on or off/)
  assert.match((await cli.run('tariffs', 'set', '--method', 'initCall')).err, /Give --method and --price, or/)
  const charged = await poll(
    'the tariff to be read',
    () => call(freshNumber('404')),
    ({ cost }) => cost !== 0,
  )
  assert.deepEqual([charged['call_status'], charged['cost']], [0, flash])
  assert.equal(await balance(), 100 - flash)
  // A test number is free in any case.
  assert.equal((await call('79000000002'))['cost'], 0)

  await charge('off')
  const free = await poll(
    'the tariff to be read again',
    () => call(freshNumber('404')),
    ({ cost }) => cost === 0,
  )
  assert.equal(free['call_status'], 0)
  assert.deepEqual((await auditLedger(installation)).faults, [])
})

test('an account that must verify its phone gets code 1005 until the operator clears it', async () => {
  const other = await makeService(installation)
  const set = (word: string) => cli.run('accounts', 'set', String(other.accountId), '--must-verify-phone', word)
  const codeOf = async () =>
    (await ask(`${base}/v1.0/initCall?phone=79000000001`, { headers: other.bearer })).json['code']
  assert.match((await set('on')).out, /must verify a phone/)
  await poll('code 1005', codeOf, (code) => code === 1005)
  assert.equal((await ask(`${base}/v1.0/getBalance`, { headers: other.bearer })).status, 200)
  assert.match((await set('off')).out, /can start calls/)
  await poll('a call', codeOf, (code) => code !== 1005)
})
