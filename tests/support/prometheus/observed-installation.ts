// An installation with everything that has a metric: two processes with all roles, a registry, backups, a certificate, and
// subscribers who call in. What only Asterisk and the edge report, and inbound calls, come from the test's own process: the same code, with
// a scripted switch.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { trunkDefaults } from '../../../server/src/domain/trunks/trunk.ts'
import { noSignals } from '../../../server/src/domain/trunks/trunk-health.ts'
import { createTrunkCalls } from '../../../server/src/engine/trunks/trunk-calls.ts'
import { startTrunkWatch } from '../../../server/src/engine/trunks/trunk-watch.ts'
import { createMetricsServer } from '../../../server/src/http/listen.ts'
import { createClock } from '../../../server/src/process/clock.ts'
import { createLog } from '../../../server/src/process/log/log.ts'
import { createEvents, type Events } from '../../../server/src/process/metrics/events.ts'
import type { AsteriskSwitch } from '../../../server/src/telephony/asterisk/asterisk.ts'
import { atEnd } from '../at-end.ts'
import { type Asked, ask } from '../http/ask.ts'
import { createReceiverToTheEnd } from '../http/webhook-receiver.ts'
import { testAuthority } from '../network/certificates.ts'
import { fourFiles, startRegistryServer } from '../numbering/registry-server.ts'
import { poll } from '../poll.ts'
import { installFakePgbackrest } from '../process/fake-pgbackrest.ts'
import { freshNumber, installPhones } from '../process/phones.ts'
import { type Installation, makeService, serveProcess } from '../process/server.ts'
import { createInboundCalls, type InboundCalls } from '../sip/inbound-calls.ts'
import { fileDirectory } from '../temporary-directory.ts'

export type Observed = {
  // host:port of the metrics.
  readonly targets: readonly string[]
  // One of everything: calls, refusals, inbound calls, webhooks. Each round takes some seconds.
  readonly makeTraffic: () => Promise<void>
}

const timeScale = 0.3

export async function startObservedInstallation(): Promise<Observed> {
  const installation = await installPhones(timeScale)
  const settings = await settingsWithFiles()
  const api = await serveProcess(installation, settings, '--roles', 'api')
  const rest = await serveProcess(installation, settings, '--roles', 'calls,webhooks,keeper')
  const events = createEvents('test', () => 0)
  const own = createMetricsServer(events).listen(0, '127.0.0.1')
  await once(own, 'listening')
  atEnd(async () => {
    own.close()
    own.closeAllConnections()
  })
  watchTrunks(installation, events)
  events.watchEdge(() => ({ isUp: true, legs: 1, restarts: 0 }))
  const subscribers = await createInboundCalls(installation, events)
  const ownTarget = `127.0.0.1:${(own.address() as AddressInfo).port}`
  return {
    targets: [...[api, rest].map(({ metrics }) => new URL(metrics).host), ownTarget],
    makeTraffic: await createTraffic(installation, api.base, subscribers),
  }
}

async function settingsWithFiles(): Promise<Record<string, string>> {
  const directory = fileDirectory()
  const registry = await startRegistryServer()
  // Every number of the code that tests call.
  registry.files.set('DEF-9xx.csv', fourFiles(10_000)['DEF-9xx.csv'] ?? Buffer.alloc(0))
  return {
    PATH: installFakePgbackrest(directory, Math.floor(Date.now() / 1_000)),
    RINGPROOF_BACKUP_STANZAS: 'main',
    RINGPROOF_NUMBERING_DIR: join(directory, 'numbering'),
    RINGPROOF_REGISTRY_URL: registry.url,
    RINGPROOF_REGISTRY_CA_FILE: testAuthority(directory, 'authority').certFile,
    RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
    RINGPROOF_REQUESTS_PER_SECOND: '50',
  }
}

function watchTrunks({ slots }: Installation, events: Events): void {
  const trunkStates: AsteriskSwitch['trunkStates'] = async () => new Map([['first', { isUp: true, reason: '' }]])
  const watch = startTrunkWatch({
    node: 'test',
    config: { sipTransports: [], sipCaFile: undefined, sipPublicAddress: undefined, edgeUrl: undefined },
    routing: () => ({ trunks: [{ ...trunkDefaults, name: 'first', channels: 1, callsPerSecond: 1 }] }),
    slots,
    switch: { trunkStates, signalsOf: () => noSignals } as Partial<AsteriskSwitch> as AsteriskSwitch,
    calls: createTrunkCalls(createClock(1)),
    clock: createClock(1),
    events,
    log: createLog({ write: () => undefined }),
  })
  atEnd(() => watch.close())
}

async function createTraffic(installation: Installation, base: string, subscribers: InboundCalls) {
  const { globalDatabase } = installation.slots
  const service = await makeService(installation, 10_000)
  await globalDatabase.query('UPDATE services SET repeats = true')
  const receiver = await createReceiverToTheEnd((response, { url }) =>
    response.writeHead(url === '/broken' ? 500 : 204).end(),
  )
  let round = 0
  const get = (method: string, query: Readonly<Record<string, string>>, address = '198.51.100.1') =>
    ask(`${base}/v1.0/${method}?${new URLSearchParams(query).toString()}`, {
      headers: { ...service.bearer, 'x-forwarded-for': address },
    })
  const inbound = async (path: string) => {
    const phone = freshNumber('180')
    const body = { phone, callback_url: `${receiver.url}${path}` }
    const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
    assert.equal(asked.status, 200, asked.text)
    await subscribers.call(phone, String(asked.json['confirmation_number']))
  }
  return async () => {
    round += 1
    const call = { phone: freshNumber('180'), unique: `round-${round}` }
    const first = await get('initCall', call)
    // Again, with the same idempotency key.
    await get('initCall', call)
    await get('initCall', { phone: '79000000001' })
    for (const scenario of ['200', '404', '503', '180']) await get('initCall', { phone: freshNumber(scenario) })
    for (const mode of ['voice', 'mix']) await get('initCall', { phone: freshNumber('200'), [mode]: 'true' })
    await get('checkPhone', { phone: freshNumber('180') })
    await Promise.all([inbound('/'), inbound('/broken')])
    // More than the limit of an address, and keys that do not exist.
    await Promise.all(Array.from({ length: 80 }, () => get('getBalance', {}, '198.51.100.2')))
    await failToAuthenticate(base)
    await globalDatabase.query(`INSERT INTO trunk_stops (reason) VALUES ('test')`)
    await poll(
      'the trunks to stop',
      () => get('initCall', { phone: freshNumber('180') }),
      ({ status }) => status === 503,
      { intervalMs: 200 },
    )
    await globalDatabase.query('DELETE FROM trunk_stops')
    await repeat(first, (uid) => get('initRepeat', { uid }))
  }
}

async function failToAuthenticate(base: string): Promise<void> {
  const headers = { authorization: 'Bearer wrong.1', 'x-forwarded-for': '198.51.100.3' }
  for (let n = 0; n < 20; n++) await ask(`${base}/v1.0/getBalance`, { headers })
}

// Possible after the cooldown of the number.
async function repeat({ json }: Asked, initRepeat: (uid: string) => Promise<Asked>): Promise<void> {
  await poll(
    'the call to be repeated',
    () => initRepeat(String(json['vendor_id'])),
    ({ status }) => status === 200,
    { intervalMs: 500 },
  )
}
