// The contract with a numbering registry: lookups return more, and nothing else changes.

import assert from 'node:assert/strict'
import { testContract } from '../contract/acceptance.ts'
import { importFictitiousRegistry } from '../support/numbering/fictitious-registry.ts'
import { installPhones } from '../support/process/phones.ts'
import { serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const installation = await installPhones(1)
const environment = { ...installation.environment, RINGPROOF_NUMBERING_DIR: `${fileDirectory()}/numbering` }
await importFictitiousRegistry(environment)
const { base, output } = await serveProcess({ ...installation, environment }, { RINGPROOF_REQUESTS_PER_SECOND: '1000' })
assert.doesNotMatch(output(), /"numbering":"none"/)

testContract('the contract with a numbering registry', installation, base, ['information', 'start', 'calls', 'info'])
