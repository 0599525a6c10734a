// Key rotation by CLI, and what running processes do with the keys.

import assert from 'node:assert/strict'
import { copyFileSync, cpSync, utimesSync } from 'node:fs'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { ringproof, ringproofJson } from '../support/process/cli.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { rotateUnderLoad } from '../support/suites/key-rotation.ts'

const installation = await installPhones(1)
const { environment } = installation
const secretsDir = String(environment['RINGPROOF_SECRETS_DIR'])
const secrets = (...args: string[]) => ringproof(environment, 'secrets', ...args)
const long = Date.now() / 1_000 - 40 * 86_400
const backdate = (file: string) => utimesSync(`${secretsDir}/${file}`, long, long)

test('a worker without the key returns the order unclaimed, and dials once the key is copied', async () => {
  const other = `${secretsDir}-other`
  cpSync(secretsDir, other, { recursive: true })
  // Without an active key it would not start any more.
  const worker = await serveProcess(installation, { RINGPROOF_SECRETS_DIR: other }, '--roles', 'calls,keeper')
  await secrets('add', 'seal-numbers')
  backdate('seal-numbers-2.key')
  await secrets('activate', 'seal-numbers', '--on-every-host')
  const api = await serveProcess(installation, {}, '--roles', 'api')
  const service = await makeService(installation)
  const calls = await Promise.all(
    ['180', '180', '180'].map(async (scenario) => {
      const body = { phone: freshNumber(scenario) }
      return ask(`${api.base}/v1.0/initCall`, { method: 'POST', headers: service.bearer, body })
    }),
  )
  await worker.running.says(
    '"fix":"copy seal-numbers-2.key to RINGPROOF_SECRETS_DIR of this node","msg":"call order returned"',
  )
  const { rows } = await installation.slots.globalDatabase.query<{ state: string; attempt: number }>(
    'SELECT DISTINCT state, attempt FROM verifications',
  )
  assert.deepEqual(rows, [{ state: 'accepted', attempt: 0 }], 'the order was claimed')
  copyFileSync(`${secretsDir}/seal-numbers-2.key`, `${other}/seal-numbers-2.key`)
  for (const { json } of calls) {
    const info = await settled(api.base, service, json['vendor_id'])
    assert.equal(info['call_status'], 1)
  }
})

test('key rings are listed with their keys, and every step names the next', async () => {
  type Listed = { keys: { ring: string; key: number; state: string; age_days: number }[]; todo: string[] }
  const list = () => ringproofJson<Listed>(environment, 'secrets', 'list')
  const of = async (ring: string) =>
    (await list()).keys.filter((key) => key.ring === ring).map(({ key, state }) => `${key} ${state}`)
  assert.deepEqual(await of('seal-numbers'), ['1 old', '2 active'])
  assert.match((await secrets('list')).out, /^ring +key +state +days +use\nphone-tenant +1 +active +0 +hashes/)

  const added = await secrets('add', 'seal-records')
  assert.match(
    added.out,
    /not used for new data yet\. Copy it to [^]* ringproof secrets activate seal-records --on-every-host/,
  )
  assert.deepEqual(await of('seal-records'), ['1 active', '2 next'])
  assert.match((await list()).todo.join('\n'), /seal-records-2\.key is not active: copy it to every host, then/)
  const activate = () => secrets('activate', 'seal-records', '--on-every-host')
  assert.match((await activate()).err, /seal-records-2\.key was created less than half a minute ago/)
  backdate('seal-records-2.key')
  assert.match((await secrets('activate', 'seal-records')).err, /--on-every-host/)
  assert.match(
    (await activate()).out,
    /ringproof secrets reseal\. An hour later: ringproof secrets destroy seal-records/,
  )
  assert.match((await activate()).err, /is active already/)

  const destroy = (ring: string) => secrets('destroy', ring, '--on-every-host')
  assert.match((await destroy('seal-records')).err, /must be active for an hour first/)
  backdate('seal-records.active')
  assert.match(
    (await destroy('seal-records')).err,
    /\d+ values can only be read with seal-records-1\.key\. Run `ringproof secrets reseal`/,
  )
  assert.match((await secrets('reseal')).out, /Re-encrypted \d+ values with seal-records-2\.key/)
  assert.match((await destroy('seal-records')).out, /Destroyed seal-records-1\.key/)
  assert.match((await destroy('seal-records')).out, /nothing was destroyed/)

  backdate('seal-numbers.active')
  const due = (await list()).todo
  assert.match(
    due.join('\n'),
    /seal-numbers-2\.key has been active for more than 30 days: ringproof secrets add seal-numbers/,
  )
  assert.match(due.join('\n'), /seal-numbers-1\.key was replaced: ringproof secrets destroy seal-numbers/)
  assert.match((await secrets('add', 'phone-slot')).err, /The key of phone-slot cannot be replaced/)
  assert.match((await secrets('add', 'nothing')).err, /Unknown key ring: nothing\. Use one of phone-tenant, /)
})

test('rotating every key ring under load loses no call', async (t) => {
  t.diagnostic(await rotateUnderLoad({ timeScale: 1, perSecond: 10, rounds: ['reload'], mixedMs: 300 }))
})
