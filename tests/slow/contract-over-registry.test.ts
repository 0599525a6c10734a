// The contract with a real registry behind it, and without any: what is known of a number changes, and nothing else.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { accept, skip } from '../support/acceptance.ts'
import { ringproof } from '../support/process/cli.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const ONLY = '^(checkPhone|getInfo|initCall)'
const registry = fileURLToPath(new URL('../../../shared/data/registry', import.meta.url))
const files = [
  '2026-08/DEF-9xx.csv.xz',
  ...['ABC-3xx', 'ABC-4xx', 'ABC-8xx'].map((kind) => `2021-04/${kind}.csv.xz`),
].map((name) => `${registry}/${name}`)
const skipRegistry = skip || (files.every(existsSync) ? false : 'there are no registry files beside the project')

const installation = await installPhones(1)
const rates = { RINGPROOF_REQUESTS_PER_SECOND: '1000' }

test('the contract is accepted without a registry', { skip }, async () => {
  await accept(installation, (await serve(installation, rates)).base, { ONLY })
})

test('the contract is accepted with a registry', { skip: skipRegistry }, async () => {
  const environment = { ...installation.environment, RINGPROOF_NUMBERING_DIR: `${fileDirectory()}/numbering` }
  const { status, out, err } = await ringproof(environment, 'registry', 'import', ...files)
  assert.equal(status, 0, out + err)
  const { base, output } = await serve({ ...installation, environment }, rates)
  assert.doesNotMatch(output(), /"numbering":"none"/)
  await accept(installation, base, { ONLY })
})
