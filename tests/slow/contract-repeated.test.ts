import { testContract } from '../contract/acceptance.ts'
import { installPhones } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'

const installation = await installPhones(1)
const { base } = await serveProcess(installation, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })

for (const time of ['first', 'second', 'third']) {
  testContract(`the contract on one deployment, for the ${time} time`, installation, base)
}
