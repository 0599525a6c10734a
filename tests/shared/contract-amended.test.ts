import { test } from 'node:test'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { runSharedChecks } from './acceptance.ts'

const installation = await installPhones(1)

test('every shared check passes as amended, with a service that is compatible with existing clients', async () => {
  const { base } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })
  await runSharedChecks(installation, base, { AMENDED: '1' })
})
