import { test } from 'node:test'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { writeOutcomeMatrix } from '../support/suites/outcomes.ts'

// In real time: one scenario rings for a third of a second.
const installation = await installPhones(1)
const { base } = await serve(installation)
const service = await makeService(installation, 10_000)

test('every scenario gives its specified outcome, charge and explanation', async () => {
  await writeOutcomeMatrix(installation, base, service)
})
