import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { testContract } from './acceptance.ts'

const installation = await installPhones(1)
const { base } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })

testContract('the contract over the scripted phone network', installation, base)
