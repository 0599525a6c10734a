// The shared checks over an installation for a company's own users: all but those that ask for money pass, and what these ask
// for is zero.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { outputOfSharedChecks } from './acceptance.ts'

// Each check that cannot pass here, and the assertion at which it ends: everything that it asks for before holds.
const asksForMoney: Readonly<Record<string, RegExp>> = {
  // A lookup has a price.
  'checkPhone: valid': /assert\(c\.cost > 0\)/,
  // So has a call that rings, and one with a spoken code has another.
  'initCall: a call that rings is made and charged': /assert\(i\.cost > 0\)/,
  'initCall: mix costs differently': /Expected "actual" to be strictly unequal to: 0/,
  // Who has no money is refused with 1002.
  'initCall: no money': /"status":true,"vendor_id"/,
  'initCall: a refused request creates nothing, holds nothing, counts nothing': /"status":true,"vendor_id"/,
}

const installation = await installPhones(1)
await createCli(installation.environment).json('installation', 'set', '--purpose', 'own')
const { base } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })

test('every shared check passes as amended, but for five that ask for money', async () => {
  const said = await outputOfSharedChecks(installation, base, { AMENDED: '1' }, 0)
  const failed = new Map([...said.matchAll(/^NOT OK {2}(.*)\n((?: {8}.*\n)*)/gm)].map(([, name, why]) => [name, why]))
  assert.deepEqual(new Set(failed.keys()), new Set(Object.keys(asksForMoney)), said)
  for (const [name, reason] of Object.entries(asksForMoney)) assert.match(failed.get(name) ?? '', reason, name)
  assert.match(said, /^[1-9]\d* passed, 5 failed$/m)
})

test('what those ask for is zero: cost and balance of a lookup and of a call, without any money', async () => {
  const service = await makeService(installation, 0)
  const headers = service.bearer
  const { json } = await ask(`${base}/v1.0/checkPhone?phone=79161234567`, { headers })
  assert.deepEqual([json['mobile'], json['cost'], json['balance']], [1, 0, 0])
  for (const mix of [false, true]) {
    const body = { phone: freshNumber(mix ? '200' : '180'), mix }
    const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers, body })
    assert.equal(started.status, 200, started.text)
    const { call_status, cost, balance } = await settled(base, service, started.json['vendor_id'])
    assert.deepEqual([call_status, cost, balance], [1, 0, 0])
  }
  const { json: shown } = await ask(`${base}/v1.0/getBalance`, { headers })
  assert.equal(shown['rub_balance'], 0)
})
