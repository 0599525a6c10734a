import { test } from 'node:test'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'
import { runSharedChecks } from './acceptance.ts'

const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const phones = await installPhones(1, 1, { address: carrier.address })
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }

test('every shared check of the contract passes over Asterisk', async () => {
  const { base, says } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })
  await says('"msg":"ARI connected"')
  await runSharedChecks(installation, base)
})
