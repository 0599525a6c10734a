import { test } from 'node:test'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { runSharedChecks } from './acceptance.ts'

const installation = await installPhones(1)

test('every shared check of the contract passes over the scripted phone network', async () => {
  const { base } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })
  await runSharedChecks(installation, base)
})
