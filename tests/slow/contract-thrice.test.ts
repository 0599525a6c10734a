import { test } from 'node:test'
import { accept, skip } from '../support/acceptance.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'

const installation = await installPhones(1)
const { base } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })

test('the contract is accepted three times in a row on one deployment', { skip }, async () => {
  for (let n = 0; n < 3; n++) await accept(installation, base)
})
