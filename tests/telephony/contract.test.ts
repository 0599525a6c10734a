import { testContract } from '../contract/acceptance.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { testAsterisk, testCarrier } from '../support/sip/asterisk.ts'

const [asterisk, carrier] = await Promise.all([testAsterisk(), testCarrier()])
const phones = await installPhones(1, 1, { address: carrier.address })
const installation = { ...phones, environment: { ...phones.environment, ...asterisk.environment } }

const { base, says } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })
await says('"msg":"ARI connected"')

testContract('the contract over Asterisk', installation, base, ['start', 'calls', 'info', 'inbound'])
