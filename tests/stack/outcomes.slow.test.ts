import { test } from 'node:test'
import { installPhones } from '../support/phones.ts'
import { makeService, serve } from '../support/served.ts'
import { tellFates } from '../support/told-fates.ts'

// In real time: one fate is about a third of a second of ringing.
const installation = await installPhones(1)
const { base } = await serve(installation)
const service = await makeService(installation, 10_000)

test('every fate gives the decided verdict, charge and sentence', async () => {
  await tellFates(installation, base, service)
})
