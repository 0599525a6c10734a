// Registries in the console: what is in use and kept, what it says about a number, and a rollback that every process follows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeLetteredRegistry } from '../support/numbering/lettered-registry.ts'
import { poll } from '../support/poll.ts'
import { ringproof } from '../support/process/cli.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createOperator } from '../support/web/operator.ts'

const directory = fileDirectory()
const phones = await installPhones(0.1)
const environment = { ...phones.environment, RINGPROOF_NUMBERING_DIR: `${directory}/numbering` }
const installation = { ...phones, environment }
for (const letter of ['A', 'B']) {
  writeLetteredRegistry(`${directory}/${letter}.csv`, letter)
  const { status, out, err } = await ringproof(environment, 'registry', 'import', `${directory}/${letter}.csv`)
  assert.equal(status, 0, out + err)
}
const settings = { RINGPROOF_MAIL_DIR: `${directory}/mail`, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings)
const admin = await createOperator(installation, base, 'admin')
const support = await createOperator(installation, base, 'support')
const phone = '+7 907 000-00-01'

async function letterOf(): Promise<string> {
  const { range } = await support.visitor.call('look-up-range', { phone })
  return String(range?.organisation).replaceAll(/[^AB]/g, '')
}

test('the console rolls back to the version that is kept, once, and logs it', async () => {
  const before = await support.visitor.call('registries')
  assert.equal(before.state, 'here')
  assert.equal(before.registries.length, 1)
  assert.ok((before.registries[0]?.rows ?? 0) > 0)
  assert.ok(before.previousVersion !== null && before.previousVersion !== before.version)
  assert.equal(await letterOf(), 'B')

  const { version } = before
  assert.equal((await support.visitor.send('roll-back-registries', { version })).status, 403)
  const done = await admin.visitor.call('roll-back-registries', { version })
  assert.equal(done.version, before.previousVersion)
  await poll('the process to load the version before', letterOf, (letter) => letter === 'A')
  const after = await support.visitor.call('registries')
  assert.deepEqual([after.version, after.previousVersion], [before.previousVersion, version])

  // A second press on the same page must not undo the first.
  assert.equal((await admin.visitor.send('roll-back-registries', { version })).status, 409)
  assert.equal((await support.visitor.call('registries')).version, before.previousVersion)
  const { entries } = await admin.visitor.call('audit-log', { action: 'registries rolled back' })
  assert.deepEqual(
    entries.map(({ who }) => who),
    [admin.email],
  )
})

test('a number that is none is refused, and one outside of the registry is not covered', async () => {
  assert.equal((await support.visitor.send('look-up-range', { phone: '12345' })).status, 400)
  const { isCovered, range } = await support.visitor.call('look-up-range', { phone: '4950000000' })
  assert.deepEqual([isCovered, range], [false, null])
})

test('a process without the directory says so', async () => {
  const bare = await serve(phones, settings, '--roles', 'web')
  const viewer = await createOperator(phones, bare.base, 'viewer')
  assert.equal((await viewer.visitor.call('registries')).state, 'absent')
  const lone = await createOperator(phones, bare.base, 'admin')
  assert.equal((await lone.visitor.send('roll-back-registries', { version: '' })).status, 503)
})
