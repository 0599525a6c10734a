// The console shows what `ringproof doctor` finds, with the rights of the web process, and examines once however many look.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCli } from '../support/process/cli-in-process.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { operatorAs } from '../support/web/people.ts'

const installation = await installPhones(1)
const settings = { RINGPROOF_MAIL_DIR: `${fileDirectory()}/mail`, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings, '--roles', 'web')
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })

test('a viewer reads the findings, the worst first, and nothing was refused to the web process', async () => {
  const viewer = await operatorAs(base, cli, 'viewer')
  const [one, other] = await Promise.all([viewer.call('examination'), viewer.call('examination')])
  assert.equal(one.at, other.at)
  const levels = one.findings.map(({ level }) => ['bad', 'warning', 'good'].indexOf(level))
  assert.deepEqual(
    levels,
    levels.toSorted((a, b) => a - b),
  )
  const levelOf = (check: string) => one.findings.filter((finding) => finding.check === check).map(({ level }) => level)
  for (const check of ['database', 'migrations', 'durability', 'nats'])
    assert.deepEqual(levelOf(check), ['good'], check)
  // Calls are simulated here, and mail goes to a directory.
  assert.deepEqual(levelOf('settings'), ['warning'])
  for (const { cause } of one.findings) assert.doesNotMatch(cause, /permission denied|could not be examined/i)
  for (const { level, fix } of one.findings) assert.equal(fix === null, level === 'good')
})

test('setup knows the trunk, its numbers and the tariff, and that no phone has rung yet', async () => {
  const viewer = await operatorAs(base, cli, 'viewer')
  const before = await viewer.call('setup')
  const stateOf = ({ steps }: typeof before, name: string) => steps.find(({ step }) => step === name)?.state
  assert.equal(stateOf(before, 'call'), 'open')
  assert.equal(stateOf(before, 'tariff'), 'done')
  assert.ok(before.trunks.length > 0 && before.numbers > 0, JSON.stringify(before))
  // No copies are made here, and no registry is imported.
  assert.equal(stateOf(before, 'backup'), 'open')
  const [trunk] = before.trunks
  const count = `INSERT INTO call_minutes (minute, account_id, service_id, mode, is_test, country, provider, trunk, state, reason, calls,
      dialled, rang, repeats, charged)
    VALUES (date_trunc('minute', now()), 1, 1, 'flash', $1, 'RU', '', $2, 'succeeded', '', 1, 1, $3, 0, 0)`
  const { globalDatabase } = installation.slots
  // Neither a call of the sandbox, nor one that did not ring, nor one over another trunk.
  await globalDatabase.query(count, [true, trunk, 1])
  await globalDatabase.query(count, [false, trunk, 0])
  await globalDatabase.query(count, [false, 'other', 1])
  assert.equal(stateOf(await viewer.call('setup'), 'call'), 'open')
  await globalDatabase.query(count, [false, trunk, 1])
  assert.equal(stateOf(await viewer.call('setup'), 'call'), 'done')
})
