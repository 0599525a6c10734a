// Trunks by CLI: changed, tested and removed.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { trialCalls } from '../../server/src/cli/trunks/trial.ts'
import { readOperatorActions } from '../../server/src/db/core/action-log.ts'
import { readTrunks } from '../../server/src/db/trunks/trunk.ts'
import { decryptTrunkPassword } from '../../server/src/domain/trunks/trunk.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ringproof, ringproofJson } from '../support/process/cli.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { installPhones } from '../support/process/phones.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const installation = await installPhones(0.05)
const { environment, slots, database } = installation
const cli = createCli(environment)
const run = (...args: string[]) => cli.run('trunks', ...args)

test('carrier settings are set, stored and listed, with the password sealed', async (t) => {
  const passwordFile = `${temporaryDirectory(t)}/password`
  writeFileSync(passwordFile, 'correct horse\n')
  const sip = ['--address', 'sip.example.org:5070', '--transport', 'tls', '--user', 'ringproof-1']
  const spelling = ['--called-prefix', '77*', '--called-format', 'ru-8', '--caller-format', 'e164']
  const shown = ['--caller-id-header', 'rpid', '--from-user', 'customer.9', '--inbound-format', 'ru-10']
  const more = ['--password-file', passwordFile, '--register', 'on', '--ring-seconds', '3']
  const said = await run('set', 'second', ...sip, ...spelling, ...shown, ...more)
  assert.equal(said.err, '')
  const listed = await cli.json<Record<string, unknown>[]>('trunks', 'list')
  const second = listed.find(({ trunk }) => trunk === 'second')
  assert.deepEqual(
    ['address', 'transport', 'user', 'outbound_registration', 'called_prefix', 'called_format', 'caller_format'].map(
      (name) => second?.[name],
    ),
    ['sip.example.org:5070', 'tls', 'ringproof-1', true, '77*', 'ru-8', 'e164'],
  )
  assert.deepEqual(
    ['caller_id_header', 'from_user', 'inbound_format', 'ring_seconds', 'channels'].map((name) => second?.[name]),
    ['rpid', 'customer.9', 'ru-10', 3, 1_000],
  )
  const kept = (await readTrunks(slots.globalDatabase)).find(({ name }) => name === 'second')
  assert(kept)
  const keys = readSecrets(environment['RINGPROOF_SECRETS_DIR'] ?? '')['seal-records']
  assert.equal(decryptTrunkPassword(keys, kept), 'correct horse')
  const rows = await asOwner(async (client) => {
    const found = await client.query<{ text: string }>(
      `SELECT t::text AS text FROM trunks AS t UNION ALL SELECT l::text FROM action_log AS l`,
    )
    return found.rows.map(({ text }) => text).join('\n')
  }, database.ownerUrl)
  assert.match(rows, /trunk set/)
  assert.doesNotMatch(rows, /correct horse/)

  // One change at a time; settings that are not named stay.
  assert.equal((await run('set', 'second', '--state', 'off', '--user', 'none', '--register', 'off')).status, 0)
  const changed = (await readTrunks(slots.globalDatabase)).find(({ name }) => name === 'second')
  assert.deepEqual([changed?.isOn, changed?.user, changed?.address], [false, null, 'sip.example.org:5070'])
  const [off, set] = await readOperatorActions(slots.globalDatabase, { name: 'second', countMax: 2 })
  assert.deepEqual(off?.details, {
    name: 'second',
    before: { isOn: true, user: 'ringproof-1', outboundRegistration: true },
    after: { isOn: false, user: null, outboundRegistration: false },
  })
  assert.equal(off?.action, 'trunk set')
  assert.equal(set?.details['password'], 'changed')
  const older = await readOperatorActions(slots.globalDatabase, { name: 'second', beforeId: off.id, countMax: 1 })
  assert.deepEqual(older, [set])
})

test('invalid trunk options are rejected with the option, the value and the fix', async () => {
  const refusals = [
    [['set', 'nobody', '--channels', '1'], /Trunk nobody does not exist/],
    [['set', 'first', '--address', 'sip:x@y'], /--address takes/],
    [['set', 'first', '--address', 'a b'], /--address takes/],
    [['set', 'first', '--transport', 'sctp'], /--transport takes one of: udp, tcp, tls/],
    [['set', 'first', '--called-prefix', '12#'], /--called-prefix takes/],
    [['set', 'first', '--called-format', 'seven'], /--called-format takes one of/],
    [['set', 'first', '--user', 'a;b'], /--user takes/],
    [['set', 'first', '--register', 'on'], /needs --user and --password-file/],
    [['set', 'first', '--from-user', 'x', '--caller-id-header', 'from'], /the caller ID needs its own header/],
    [['set', 'first', '--password-file', '/does/not/exist'], /--password-file takes a file with one line/],
    [['set', 'first', '--state', 'maybe'], /--state takes on, drain or off/],
    [['add', 'third'], /A trunk needs --channels and --calls-per-second/],
    [['test', 'first', '--to', '+79070000180'], /--to takes 7 to 15 digits/],
    [['test', 'nobody', '--to', '79070000180'], /Trunk nobody does not exist/],
    [['remove', 'nobody'], /Trunk nobody does not exist/],
  ] as const
  await Promise.all(
    refusals.map(async ([args, sentence]) => {
      const { status, err } = await run(...args)
      assert.equal(status, 1)
      assert.match(err, sentence)
    }),
  )
})

test('trunks test reports call progress and the side at fault', async () => {
  const [made, refused, unseen] = await Promise.all([
    ringproof(environment, 'trunks', 'test', 'first', '--to', '79070000180'),
    ringproof(environment, 'trunks', 'test', 'first', '--to', '79070000404', '--from', '70000000042'),
    ringproofJson<Record<string, unknown>>(environment, 'trunks', 'test', 'first', '--to', '79070000201'),
  ])
  assert.match(
    made.out,
    /^Call to 7907\*\*\*0180 over first from 70000000000: rang after \d\.\d s for [56]\.\d s, hung up by us\.$/m,
  )
  assert.match(made.out, /At fault: nobody\./)
  assert.match(
    refused.out,
    /from 70000000042: refused with 404\.\nThe number does not exist\. At fault: the subscriber\./,
  )
  assert.deepEqual([unseen['succeeded'], unseen['reason'], unseen['phone']], [false, 'answered-unseen', '7907***0201'])
  const rows = await asOwner((client) => client.query('SELECT FROM verifications'), database.ownerUrl)
  assert.equal(rows.rowCount, 0, 'a test call created a verification')
})

test('trunks trial prints eight calls, and trunks test says of each what the page calls good', async () => {
  const page = (await run('trial', 'first')).out
  const commands = [...page.matchAll(/^ {4}ringproof trunks (test .*?) {3}# \d$/gm)].map(([, typed = '']) => typed)
  assert.equal(commands.length, trialCalls.length)
  assert.equal(commands.length, 8)
  assert.equal(page.match(/^\| \d, [AB] \|/gm)?.length, 8, 'a line to fill in for each call')
  // How the simulated network plays what the person does with the phone.
  const phones = ['180', '180', '180', '180', '480', '586', '200', '180']
  const said = await Promise.all(
    commands.map(async (typed, at) => {
      const shown = { A: `79070001${phones[at]}`, B: `79070002${phones[at]}`, OTHER: '70000000042' }
      const args = typed.replaceAll(/"\$(\w+)"/g, (_, name: keyof typeof shown) => shown[name]).split(' ')
      return (await ringproof(environment, 'trunks', ...args)).out
    }),
  )
  for (const [at, { good }] of trialCalls.entries()) assert(said[at]?.includes(good), `call ${at + 1}: ${said[at]}`)
  assert.match(said[2] ?? '', /from 70000000042:/)
})

test('a trunk is removed with its numbers, only after confirmation', async () => {
  assert.match((await run('remove', 'second')).err, /has 20032 numbers\. To remove them too, add --with-numbers/)
  assert.match((await run('remove', 'second', '--with-numbers')).out, /Trunk second removed/)
  const left = (await readTrunks(slots.globalDatabase)).map(({ name }) => name)
  assert.deepEqual(left, ['first'])
})
