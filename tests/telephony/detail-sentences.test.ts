// What the detail page of the dashboard says about calls over Asterisk and a real carrier: for each outcome and each refusal that SIP
// can cause, the reason, the status and the side are those of docs/reference/calls.md, and the sentence is theirs in both languages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccountId, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { explanations, refusalExplanations } from '../../server/src/domain/verifications/call-explanation.ts'
import { words as en } from '../../web/src/dashboard/verifications/verification-words.en.ts'
import { words as ru } from '../../web/src/dashboard/verifications/verification-words.ru.ts'
import { explanationOf } from '../../web/src/parts/phone/explain-call.ts'
import { credit } from '../support/database/credit.ts'
import { ask } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { signUp } from '../support/web/people.ts'

const mailDir = `${fileDirectory()}/mail`
const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const phones = await installPhones(1, 1, { address: carrier.address })
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base, says } = await serve(installation, settings)
await says('"msg":"ARI connected"')

// How the network makes each outcome, and in which mode. Those that are missing here have no cause in SIP.
const causes = {
  rang: ['180', 'flash'],
  spoken: ['200', 'voice'],
  'not-answered': ['180', 'voice'],
  'hung-up-early': ['299', 'voice'],
  'broke-off': ['581', 'flash'],
  announcement: ['183', 'flash'],
  'answered-unseen': ['201', 'flash'],
  'no-ringing': ['100', 'flash'],
  silence: ['000', 'flash'],
} as const
const withoutCause = [
  'rejected',
  'refused',
  'not-dispatched',
  'not-started',
  'lost',
  'lost-ringing',
  'called',
  'not-called',
]

const sides = {
  nobody: null,
  'the subscriber': 'subscriber',
  'the carrier': 'carrier',
  'the operator': 'operator',
} as const

type Expected = {
  readonly scenario: string
  readonly mode: 'flash' | 'voice'
  readonly reason: keyof typeof explanations
  readonly sipStatus: number | undefined
  readonly atFault: keyof typeof sides
  readonly titles: readonly (string | undefined)[]
}

const outcomes = (Object.keys(causes) as (keyof typeof causes)[]).map((reason): Expected => {
  const [scenario, mode] = causes[reason]
  const titles = [en, ru].map((words) => words.reasons[reason]?.title)
  return { scenario, mode, reason, sipStatus: undefined, atFault: explanations[reason].atFault, titles }
})
const refusals = Object.entries(refusalExplanations).map(([status, { atFault }]): Expected => {
  const titles = [en, ru].map((words) => words.refusals[Number(status)]?.title)
  return { scenario: status, mode: 'flash', reason: 'refused', sipStatus: Number(status), atFault, titles }
})

test('every outcome and refusal that SIP causes is explained on the detail page, in both languages', async () => {
  const { visitor } = await signUp({ base, mailDir })
  const accountId = (await visitor.call('me')).account?.id as AccountId
  const database = installation.slots.databaseOf(slotOfAccount(accountId))
  await credit(database, accountId, 1_000_000_000 as MicroAmount)
  await database.query('UPDATE accounts SET must_verify_phone = false WHERE id = $1', [accountId])
  const shop = { name: 'Shop', isTest: false, isMovingFromUcaller: false }
  const { serviceId, key } = await visitor.call('create-service', shop)
  const bearer = { authorization: `Bearer ${key}.${serviceId}` }
  const faults = await Promise.all(
    [...outcomes, ...refusals].map(async (expected) => {
      const { scenario, mode, reason, sipStatus, atFault, titles } = expected
      const body = { phone: freshNumber(scenario), voice: mode === 'voice' }
      const started = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: bearer, body })
      assert.equal(started.status, 200, started.text)
      await settled(base, { bearer }, started.json['vendor_id'])
      const shown = await visitor.call('verification', { id: String(started.json['vendor_id']) })
      const status = sipStatus === undefined ? undefined : shown.sipStatus
      const said = [en, ru].map((words) => explanationOf(shown, words))
      const actual = [shown.reason, status, shown.atFault, said.map(({ title }) => title)]
      const wanted = [reason, sipStatus, sides[atFault], titles]
      return JSON.stringify(actual) === JSON.stringify(wanted) ? [] : [{ scenario, actual, wanted }]
    }),
  )
  assert.deepEqual(faults.flat(), [])
})

test('each outcome has a cause in SIP here, or is known to have none', () => {
  assert.deepEqual([...Object.keys(causes), ...withoutCause].toSorted(), Object.keys(explanations).toSorted())
})
