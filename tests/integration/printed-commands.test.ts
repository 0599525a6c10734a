// Commands that the program or its pages print and that no other test types.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService } from '../support/process/server.ts'

const installation = await installPhones(1)
const cli = createCli(installation.environment)
const { serviceId } = await makeService(installation, 0)

test('services list shows the service, and services show its keys', async () => {
  const listed = await cli.run('services', 'list')
  assert.equal(listed.err, '')
  assert.match(listed.out, new RegExp(`^ *${serviceId} `, 'm'))
  const refused = await cli.run('services', 'rotate-key', String(serviceId), '--key', 'absent')
  const [, printed = ''] = /`ringproof ([^`]+)` shows its keys/.exec(refused.err) ?? []
  assert.deepEqual(printed.split(' '), ['services', 'show', String(serviceId)], refused.err)
  assert.match((await cli.run(...printed.split(' '))).out, /^NAME +SCOPES +STATE/m)
})

test('opt-outs remove ends an opt-out', async () => {
  const phone = freshNumber('180')
  await cli.json('opt-outs', 'add', '--phone', phone)
  await cli.json('opt-outs', 'remove', '--phone', phone, '--reason', 'asked for it')
  assert.match((await cli.run('opt-outs', 'remove', '--phone', phone)).out, /was not opted out/)
})

test('payments show says what is missing, and tariffs cost stores what a carrier takes', async () => {
  assert.equal((await cli.run('payments', 'show')).status, 0)
  const said = await cli.run('tariffs', 'cost', '--trunk', 'first', '--mode', 'flash', '--cost', '0.1')
  assert.deepEqual([said.status, said.err], [0, ''])
})

test('slots move --cancel refuses a slot that does not move', async () => {
  const owner = createCli({ ...installation.environment, RINGPROOF_DATABASE_OWNER_URL: installation.database.ownerUrl })
  const { status, err } = await owner.run('slots', 'move', '1', '--cancel')
  assert.equal(status, 1)
  assert.match(err, /[Ss]lot 1\b/)
  assert.match((await owner.run('slots', 'move', '1')).err, /Give either --to or --cancel/)
})
