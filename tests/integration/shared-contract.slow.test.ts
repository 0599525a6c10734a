import { test } from 'node:test'
import { accept, skip } from '../support/acceptance.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'

const installation = await installPhones(1)

test('every check is green', { skip }, async () => {
  const { base } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })
  await accept(installation, base)
})

test('HEAD and unknown paths without a key are not failed logins', { skip }, async () => {
  const { base } = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })
  await accept(installation, base, { AMENDED: '1', ONLY: 'HEAD and unknown paths' })
})
