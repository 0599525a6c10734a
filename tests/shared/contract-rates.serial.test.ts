import { test } from 'node:test'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { runSharedChecks } from './acceptance.ts'

const installation = await installPhones(1)

test('the shared checks of request rates pass with the default rates', async () => {
  const { base } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '30' })
  await runSharedChecks(installation, base, { RATE: '1' })
})
