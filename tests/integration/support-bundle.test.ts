// The support bundle helps to find a fault and is sent to people outside: after calls of several kinds it has findings, settings and
// counts, and no number, code, key, e-mail, name or password.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInstallationProbes } from '../../server/src/roles/installation-probes.ts'
import { ask } from '../support/http/ask.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createOperator } from '../support/web/operator.ts'

const password = 'Canary-password-81'
const mailUser = 'canary-mail'
const receiver = '198.51.100.77'
const installation = await installPhones(0.05, 2)
const settings = {
  RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail`,
  RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
  // Nobody listens there.
  RINGPROOF_MAIL_URL: `smtp://${mailUser}%40example.org:${password}-mail@127.0.0.1:9`,
  RINGPROOF_MAIL_FROM: 'Canary Sender <canary-sender@example.org>',
  RINGPROOF_ARI_PASSWORD: `${password}-ari`,
  RINGPROOF_OWN_SERVICE: `${password}-service`,
  RINGPROOF_WEBHOOK_ALLOW: `127.0.0.0/8,${receiver}`,
}
const { base } = await serve(installation, settings)
const cli = createCli(
  { ...installation.environment, ...settings, RINGPROOF_PUBLIC_URL: base },
  { installationProbes: async (config, clock) => createInstallationProbes(config, clock) },
)
const support = await createOperator(installation, base, 'support')
const shop = await makeService(installation)
const code = '7391'
const numbers = ['180', '200', '404'].map(freshNumber)
for (const phone of numbers) {
  const start = { method: 'POST', headers: shop.bearer, body: { phone, code, client: 'Canary client' } }
  const { status, json, text } = await ask(`${base}/v1.0/initCall`, start)
  assert.equal(status, 200, text)
  await settled(base, shop, json['vendor_id'])
}
// What an operator writes into a reason.
const reason = `Canary customer canary-reason@example.org asked, ${numbers[0]}`
const stopped = await cli.run('trunks', 'stop-all', '--reason', reason)
assert.equal(stopped.status, 0, stopped.err)

const canaries: Readonly<Record<string, string>> = {
  'a password': password,
  'the user of the mail server': mailUser,
  'the sender of mail': 'canary-sender',
  "a customer's receiver": receiver,
  'a key': shop.key,
  'a webhook secret': shop.webhookSecret,
  "an operator's e-mail": support.email,
  "a customer's e-mail": 'owner-',
  'a client field': 'Canary client',
  "an operator's reason": 'Canary customer',
  'an e-mail in a reason': 'canary-reason',
  ...Object.fromEntries(numbers.map((number, index) => [`number ${index}`, number.slice(1)])),
  'a caller number': '7000000',
  'a confirmation number': '70000100',
}

type Bundle = {
  readonly version: string
  readonly findings: readonly { readonly check: string; readonly cause: string }[]
  readonly settings: Readonly<Record<string, string>>
  readonly network: { readonly isStopped: boolean; readonly trunks: readonly { readonly name: string }[] }
  readonly databases: readonly {
    readonly accounts: number
    readonly webhooksDue: number
    readonly verifications: readonly { readonly trunk: string; readonly state: string; readonly calls: number }[]
  }[]
}

const makers = {
  'the command line': async () => {
    const { out, err } = await cli.run('support-bundle')
    assert.equal(err, '')
    return out
  },
  'the console': async () => (await support.visitor.call('support-bundle', {})).text,
}

for (const [maker, make] of Object.entries(makers)) {
  test(`a bundle of ${maker} has what helps, and nothing about a person`, async () => {
    const callsIn = ({ databases }: Bundle) =>
      databases.flatMap(({ verifications }) => verifications).reduce((sum, { calls }) => sum + calls, 0)
    const text = await make()
    const bundle = JSON.parse(text) as Bundle
    assert.deepEqual(found(text), [])
    assert.equal(callsIn(bundle), numbers.length)
    assert.deepEqual(
      bundle.network.trunks.map(({ name }) => name),
      ['first', 'second'],
    )
    assert.equal(bundle.network.isStopped, true)
    assert.equal(bundle.databases.length, 2)
    assert(bundle.databases.some(({ accounts }) => accounts > 0))
    const checks = new Set(bundle.findings.map(({ check }) => check))
    for (const check of ['database', 'nats', 'mail', 'trunks', 'backup']) assert(checks.has(check), check)
    assert.equal(bundle.settings['RINGPROOF_ARI_PASSWORD'], '***')
    assert.equal(bundle.settings['RINGPROOF_SWITCH'], 'fake')
  })
}

test('what is added to a bundle is found', async () => {
  const text = await makers['the console']()
  const [number = ''] = numbers
  for (const [name, canary] of Object.entries(canaries)) {
    const added = JSON.stringify({ ...JSON.parse(text), added: { text: `of ${canary}.` } })
    assert.deepEqual(found(added), [name])
  }
  assert.deepEqual(found(JSON.stringify({ ...JSON.parse(text), added: Number(code) })), ['the code'])
  const spelled = `+7 (${number.slice(1, 4)}) ${number.slice(4, 7)}-${number.slice(7, 9)}-${number.slice(9)}`
  assert.deepEqual(found(JSON.stringify({ ...JSON.parse(text), added: spelled })), ['number 0'])
})

test('every bundle is in the audit log with its maker, and a viewer makes none', async () => {
  const { entries } = await support.visitor.call('audit-log', { action: 'support bundle' })
  assert(entries.some(({ who }) => who === support.email))
  assert(entries.some(({ who }) => who !== support.email))
  const viewer = await createOperator(installation, base, 'viewer')
  assert.equal((await viewer.visitor.send('support-bundle', {})).status, 403)
})

test('without its database the command says so and still has findings and settings', async () => {
  const url = 'postgres://ringproof_app@127.0.0.1:9/none'
  const { RINGPROOF_SHARD_URLS: _, ...environment } = installation.environment
  const apart = createCli(
    { ...environment, ...settings, RINGPROOF_DATABASE_URL: url },
    { installationProbes: async (config, clock) => createInstallationProbes(config, clock) },
  )
  const { out, err } = await apart.run('support-bundle')
  assert.match(err, /could not be used/)
  const { findings, databases } = JSON.parse(out) as Bundle
  assert(findings.some(({ check }) => check === 'database'))
  assert.deepEqual(databases, [])
})

// Numbers in any spelling; the code only as a whole value or word.
function found(text: string): readonly string[] {
  const bare = text.replaceAll(/(?<=\d)[\s()+-]+(?=\d)|[()]/g, '')
  const names = Object.entries(canaries)
    .filter(([, canary]) => text.includes(canary) || bare.includes(canary))
    .map(([name]) => name)
  return new RegExp(`(?<![\\d.])${code}(?![\\d.])`).test(text) ? [...names, 'the code'] : names
}
