// Sends every kind of request of the contract and writes down, statement by statement, whether the product conforms. The page
// docs/reference/conformity.md is this table; to write it anew, delete it and run this test.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { setService } from '../../server/src/actions/accounts/services.ts'
import { compatibilities, noCaps } from '../../server/src/domain/accounts/service.ts'
import type { AccountId, ServiceId } from '../../server/src/domain/core/slot.ts'
import { readConfig } from '../../server/src/process/config/config.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { ringproofJson } from '../support/process/cli.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'
import { gatherFacts, type Json, type World } from './conformity-facts.ts'
import { generalRows } from './conformity-general-rows.ts'
import { methodRows } from './conformity-method-rows.ts'
import { resourceRows } from './conformity-resource-rows.ts'
import type { Row } from './conformity-row.ts'

const page = fileURLToPath(new URL('../../docs/reference/conformity.md', import.meta.url))
const rows = [...generalRows, ...resourceRows, ...methodRows]
const installation = await installPhones(0.4)
const served = await serve(installation)
const { requestsPerSecond } = readConfig(installation.environment)
const rated = await serve(installation, { RINGPROOF_REQUESTS_PER_SECOND: String(requestsPerSecond) })

test('each of the 173 statements conforms, or names the decision that it follows', { timeout: 180_000 }, async (t) => {
  const service = await createOnCommandLine()
  const compatible = await makeService(installation, 100, { ...noCaps, ...compatibilities.ucaller })
  const receiver = await createReceiverToTheEnd()
  const show = (id: unknown) => ringproofJson<Json>(installation.environment, 'verifications', 'show', String(id))
  const newService = (settings = {}, balance = 100) => makeService(installation, balance, { ...noCaps, ...settings })
  const countVerifications = async ({ serviceId }: TestService) => {
    const [row] = (await sql('SELECT count(*)::integer FROM verifications WHERE service_id = $1', [serviceId])).rows
    return (row as { count: number }).count
  }
  const made = { service, compatible, newService, countVerifications, sql }
  const world: World = { served, rated, receiver, show, ...made }
  for (let n = 0; n < 55; n++) await rename(compatible, `Shop ${n}`)
  const facts = await gatherFacts(world)
  for (const row of rows) {
    await t.test(`${row.section} ${row.statement}`, async () => {
      await row.run(facts, world)
      for (const fault of row.faults ?? []) {
        await assert.rejects(async () => row.run(fault(facts), world), assert.AssertionError, String(fault))
      }
    })
  }
  const total = rows.reduce((sum, { statements }) => sum + statements, 0)
  assert.equal(total, 173)
  const text = pageOf(rows)
  if (!existsSync(page)) writeFileSync(page, text)
  assert.equal(readFileSync(page, 'utf8'), text)
})

const sql = (text: string, values: readonly unknown[]) => installation.slots.globalDatabase.query(text, [...values])

async function rename({ serviceId }: TestService, name: string): Promise<void> {
  const actor = { address: '127.0.0.1', userAgent: 'test' }
  await setService({ slots: installation.slots }, actor, { serviceId, texts: { name } })
}

async function createOnCommandLine(): Promise<TestService> {
  const run = <T>(...args: readonly string[]) => ringproofJson<T>(installation.environment, ...args)
  type Account = { account_id: AccountId }
  type Created = { service_id: ServiceId; key: string; webhook_secret: string }
  const { account_id: accountId } = await run<Account>(
    'accounts',
    'create',
    '--email',
    'owner@example.org',
    '--balance',
    '100',
  )
  const created = await run<Created>('services', 'create', '--account', String(accountId), '--name', 'Shop')
  const { service_id: serviceId, key, webhook_secret: webhookSecret } = created
  return { accountId, serviceId, key, webhookSecret, bearer: { authorization: `Bearer ${key}.${serviceId}` } }
}

function pageOf(all: readonly Row[]): string {
  const decided = all.filter(({ decision }) => decision).reduce((sum, { statements }) => sum + statements, 0)
  return `# Conformity with the API contract

Written by \`tests/contract/conformity.slow.test.ts\`, which sends every request below to a running installation. Sections are those of
the contract; a row stands for as many statements as its third column says. ${173 - decided} of 173 statements conform to the letter; ${decided} follow
a decision, which the last column names.

| section | statement | n | sent and received | conforms |
|---|---|---|---|---|
${all.map(({ section, statement, statements, seen, decision }) => `| ${section} | ${statement} | ${statements} | ${seen} | ${decision ? `decided: ${decision}` : 'yes'} |`).join('\n')}
`
}
