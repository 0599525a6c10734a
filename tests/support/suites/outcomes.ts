// Every scenario of the network, from the request to outcome, charge and explanation: the same table for the scripted
// network and for Asterisk with a real carrier.

import assert from 'node:assert/strict'
import { showVerification } from '../../../server/src/actions/verifications/verifications.ts'
import type { VerificationId } from '../../../server/src/domain/core/slot.ts'
import { describeVerification } from '../../../server/src/domain/verifications/describe-verification.ts'
import { ask } from '../http/ask.ts'
import { freshNumber, prices, settled } from '../process/phones.ts'
import type { Installation, TestService } from '../process/server.ts'

// Scenario, mode, whether it succeeded, what `verifications show` prints, and whose fault it is.
const table = [
  ['180', 'flash', true, /hung up by us/, 'nobody'],
  ['183', 'flash', false, /early media/, 'the carrier'],
  ['200', 'flash', true, /rang/, 'nobody'],
  ['299', 'flash', true, /rang/, 'nobody'],
  // Phones of both ring for two seconds. A process that reads the 180 late takes from the ring what it adds to the wait.
  [
    '586',
    'flash',
    true,
    /rang after (?<wait>\S+) s for (?<ring>[12]\.\d) s, ended by the other side with 486/,
    'nobody',
  ],
  [
    '580',
    'flash',
    true,
    /rang after (?<wait>\S+) s for (?<ring>[12]\.\d) s, ended by the other side with 480/,
    'nobody',
  ],
  ['581', 'flash', false, /ended within a second with 480/, 'the carrier'],
  ['201', 'flash', false, /without ringing/, 'the subscriber'],
  ['302', 'flash', false, /refused with 302/, 'the subscriber'],
  ['404', 'flash', false, /refused with 404/, 'the subscriber'],
  ['486', 'flash', false, /refused with 486/, 'the subscriber'],
  ['403', 'flash', false, /over second.*refused with 403/, 'the operator'],
  ['503', 'flash', false, /over second.*refused with 503/, 'the carrier'],
  ['600', 'flash', false, /refused with 600/, 'the subscriber'],
  ['607', 'flash', false, /over first.*refused with 607/, 'the carrier'],
  ['100', 'flash', false, /did not ring/, 'the carrier'],
  ['000', 'flash', false, /over second.*no response from the carrier/, 'the carrier'],
  ['777', 'flash', false, /refused with 404/, 'the subscriber'],
  ['200', 'voice', true, /spoken/, 'nobody'],
  ['180', 'voice', false, /not answered/, 'the subscriber'],
  ['299', 'voice', false, /hung up by the subscriber before/, 'the subscriber'],
  ['404', 'voice', false, /refused with 404/, 'the subscriber'],
  ['200', 'mix', true, /rang/, 'nobody'],
  ['404', 'mix', false, /refused with 404/, 'the subscriber'],
] as const

// Returns the numbers that were dialled.
export async function writeOutcomeMatrix(
  installation: Installation,
  base: string,
  service: TestService,
): Promise<string[]> {
  const numbers = table.map(([scenario]) => freshNumber(scenario))
  const started = await Promise.all(
    table.map(async ([, mode], index) => {
      const body = { phone: numbers[index], voice: mode === 'voice', mix: mode === 'mix' }
      const asked = await ask(`${base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })
      assert.equal(asked.status, 200, asked.text)
      return asked.json['vendor_id']
    }),
  )
  let spent = 0
  for (const [index, [scenario, mode, made, words, atFault]] of table.entries()) {
    const info = await settled(base, service, started[index])
    assert.deepEqual(
      [info['call_status'], info['cost']],
      made ? [1, prices[mode] / 1e6] : [0, 0],
      `${scenario} ${mode}`,
    )
    if (made) spent += prices[mode]
    const { verification, phoneMask, explanation } = await showVerification(
      installation,
      started[index] as VerificationId,
    )
    const description = describeVerification({ ...verification, phoneMask }, String)
    assert.match(description, words, `${scenario} ${mode}: ${description}`)
    const { wait, ring } = words.exec(description)?.groups ?? {}
    if (wait !== undefined && ring !== undefined) assert(Number(wait) + Number(ring) >= 2, description)
    assert.match(description, made ? /charged/ : /nothing was charged/, description)
    assert.equal(explanation?.atFault, atFault, `${scenario} ${mode}`)
  }
  const { json } = await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })
  assert.equal(json['rub_balance'], 10_000 - spent / 1e6)
  return numbers
}
