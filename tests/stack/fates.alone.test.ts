// Every fate of the scripted phone network, from the request to the verdict, the charge and the sentence for people.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../support/ask.ts'
import { ringproof } from '../support/operator.ts'
import { freshNumber, installPhones, prices, settled } from '../support/phones.ts'
import { makeService, serve } from '../support/served.ts'

// In real time: one fate is about a third of a second of ringing.
const installation = await installPhones(1)
const { base } = await serve(installation)
const service = await makeService(installation, 10_000)

// Fate, mode, made, what `verifications show` says of it.
const table = [
  ['180', 'flash', true, /hung up by us/],
  ['183', 'flash', false, /announcement/],
  ['200', 'flash', true, /rang/],
  ['299', 'flash', true, /rang/],
  ['586', 'flash', true, /rang/],
  ['580', 'flash', true, /rang/],
  ['581', 'flash', false, /broke off|480/],
  ['201', 'flash', false, /without ringing|unseen/],
  ['302', 'flash', false, /refused with 302/],
  ['404', 'flash', false, /refused with 404/],
  ['486', 'flash', false, /refused with 486/],
  ['503', 'flash', false, /over second.*refused with 503/],
  ['600', 'flash', false, /refused with 600/],
  ['100', 'flash', false, /never rang/],
  ['000', 'flash', false, /over second/],
  ['777', 'flash', false, /refused with 404/],
  ['200', 'voice', true, /spoken/],
  ['180', 'voice', false, /answer/],
  ['299', 'voice', false, /hung up|hang/],
  ['404', 'voice', false, /refused with 404/],
  ['200', 'mix', true, /rang/],
  ['404', 'mix', false, /refused with 404/],
] as const

test('every fate gives the decided verdict, charge and sentence', async () => {
  const started = await Promise.all(
    table.map(async ([fate, mode]) => {
      const body = { phone: freshNumber(fate), voice: mode === 'voice', mix: mode === 'mix' }
      const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })
      assert.equal(asked.status, 200, asked.text)
      return asked.json['vendor_id']
    }),
  )
  let spent = 0
  for (const [index, [fate, mode, made, words]] of table.entries()) {
    const info = await settled(base, service, started[index])
    assert.deepEqual([info['call_status'], info['cost']], made ? [1, prices[mode] / 1e6] : [0, 0], `${fate} ${mode}`)
    if (made) spent += prices[mode]
    const { out, err } = await ringproof(installation.environment, 'verifications', 'show', String(started[index]))
    assert.match(out, words, `${fate} ${mode}: ${out}${err}`)
    assert.match(out, made ? /charged/ : /nothing was charged/, out)
  }
  const { json } = await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })
  assert.equal(json['rub_balance'], 10_000 - spent / 1e6)
})
