import { test } from 'node:test'
import { accept, skip } from '../support/acceptance.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'

const installation = await installPhones(1)

test('the checks of rates are green on the defaults', { skip }, async () => {
  const { base } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '30' })
  await accept(installation, base, { RATE: '1' })
})
