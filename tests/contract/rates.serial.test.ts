import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { testRates } from './acceptance.ts'

const installation = await installPhones(1)
const { base } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '30' })

testRates('the default request rates', installation, base)
