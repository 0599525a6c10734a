// Metrics of money, retries, numbers and files: each moves when its event happens.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createEvents } from '../../server/src/process/metrics/events.ts'
import { ask } from '../support/http/ask.ts'
import { testAuthority } from '../support/network/certificates.ts'
import { fourFiles, startRegistryServer } from '../support/numbering/registry-server.ts'
import { poll } from '../support/poll.ts'
import { installFakePgbackrest } from '../support/process/fake-pgbackrest.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const directory = fileDirectory()
const authority = testAuthority(directory, 'authority')
const registry = await startRegistryServer()
// Every number of the code that tests call.
registry.files.set('DEF-9xx.csv', fourFiles(10_000)['DEF-9xx.csv'] ?? Buffer.alloc(0))
const backupAt = Math.floor(Date.now() / 1_000) - 3_600
const installation = await installPhones(0.3)
const service = await makeService(installation, 1_000)
const { base, metrics } = await serveProcess(installation, {
  PATH: installFakePgbackrest(directory, backupAt),
  RINGPROOF_BACKUP_STANZAS: 'main',
  RINGPROOF_NUMBERING_DIR: join(directory, 'numbering'),
  RINGPROOF_REGISTRY_URL: registry.url,
  RINGPROOF_REGISTRY_CA_FILE: authority.certFile,
})

test('charges, replays, repeats, talk time and caller numbers are counted', async () => {
  await installation.slots.globalDatabase.query('UPDATE services SET repeats = true')
  const headers = service.bearer
  const get = async (method: string, query: Readonly<Record<string, string>>) => {
    const asked = await ask(`${base}/v1.0/${method}?${new URLSearchParams(query).toString()}`, { headers })
    assert.equal(asked.status, 200, asked.text)
    return asked.json
  }
  const call = { phone: freshNumber('180'), unique: 'one' }
  const flash = await get('initCall', call)
  await get('initCall', call)
  const voice = await get('initCall', { phone: freshNumber('200'), voice: 'true' })
  const failed = await get('initCall', { phone: freshNumber('404') })
  for (const { vendor_id: id } of [flash, voice, failed]) await settled(base, service, id)
  await get('checkPhone', { phone: freshNumber('180') })
  // The calls end one after the other, and each is counted after its verification has ended.
  const names = [
    'ringproof_charged_amount_total{mode="flash"}',
    'ringproof_charged_amount_total{mode="voice"}',
    'ringproof_charged_amount_total{mode="lookup"}',
    'ringproof_idempotent_replays_total',
    'ringproof_call_talk_seconds_count{trunk="first",mode="voice"}',
    'ringproof_call_talk_seconds_count{trunk="first",mode="flash"}',
    'ringproof_caller_numbers{trunk="first"}',
    'ringproof_repeat_calls_total',
  ]
  const endedOf = (mode: string) => `ringproof_call_settle_seconds_count{mode="${mode}"}`
  const values = await untilMetrics((now) => now.get(endedOf('flash')) === 2 && now.get(endedOf('voice')) === 1)
  assert.deepEqual(
    names.map((name) => values.get(name)),
    [0.4, 1.2, 0.1, 1, 1, undefined, 20_000, 0],
  )
  await poll(
    'the call to be repeated',
    () => ask(`${base}/v1.0/initRepeat?uid=${String(flash['vendor_id'])}`, { headers }),
    ({ status }) => status === 200,
    { intervalMs: 500 },
  )
  assert.equal((await read()).get('ringproof_repeat_calls_total'), 1)
})

test('a matched inbound call is charged, one that matches nothing is not', async () => {
  const events = createEvents('test', () => 0)
  const { call, outcomes } = await createInboundCalls(installation, events)
  const phone = freshNumber('180')
  const body = { phone, callback_url: 'http://127.0.0.1:9/' }
  const { json } = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
  const number = String(json['confirmation_number'])
  assert.equal(number.length, 11, JSON.stringify(json))
  await call(freshNumber('180'), number)
  await call(phone, number)
  assert.deepEqual(outcomes, ['no-request', 'matched'])
  const text = await poll(
    'the match to be counted',
    () => events.exposition(),
    (now) => now.includes('ringproof_inbound_calls_total{outcome="matched"} 1\n'),
  )
  assert(text.includes('ringproof_charged_amount_total{mode="inbound"} 0.3\n'), text)
})

test('times of the registry, of backups and of certificates are those of their files', async () => {
  const values = await untilMetrics((now) => (now.get('ringproof_registry_checked_timestamp_seconds') ?? 0) > 0)
  const now = Date.now() / 1_000
  // The server was started some minutes ago at most.
  for (const name of ['checked', 'imported']) {
    const at = (await untilMetrics((next) => next.has(`ringproof_registry_${name}_timestamp_seconds`))).get(
      `ringproof_registry_${name}_timestamp_seconds`,
    )
    assert(Math.abs(now - Number(at)) < 600, `${name}: ${at}`)
  }
  assert.equal(values.get('ringproof_registry_ranges{registry="DEF-9xx"}'), 10_000)
  assert.equal(values.get('ringproof_backup_last_success_timestamp_seconds{stanza="main"}'), backupAt)
  const expiry = values.get('ringproof_certificate_expiry_timestamp_seconds{setting="RINGPROOF_REGISTRY_CA_FILE"}')
  // It is valid for two days.
  assert(Math.abs(Number(expiry) - now - 2 * 86_400) < 600, String(expiry))
  writeFileSync(authority.certFile, 'damaged')
  await untilMetrics(
    (next) => next.get('ringproof_certificate_expiry_timestamp_seconds{setting="RINGPROOF_REGISTRY_CA_FILE"}') === 0,
  )
})

async function read(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(metrics)).text()
  return new Map(
    [...text.matchAll(/^(ringproof_\w+(?:\{.*\})?) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  )
}

function untilMetrics(isWanted: (values: ReadonlyMap<string, number>) => boolean) {
  return poll('the metrics', read, isWanted, { intervalMs: 200 })
}
