// Fetching the registry from a publisher on loopback: by the command, and by the keeper on its schedule.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { readOperatorActions } from '../../server/src/db/core/action-log.ts'
import { startRegistryFetch } from '../../server/src/engine/numbers/registry-fetch.ts'
import { type FetchDeps, type FetchOptions, fetchRegistry } from '../../server/src/numbering/fetch-registry.ts'
import { lookUpNumber, numberingStatus, rollBack } from '../../server/src/numbering/inspect.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { ask } from '../support/http/ask.ts'
import { testAuthority } from '../support/network/certificates.ts'
import { registryBytes } from '../support/numbering/registry-files.ts'
import { fourFiles, startRegistryServer } from '../support/numbering/registry-server.ts'
import { poll } from '../support/poll.ts'
import { ringproof, ringproofJson } from '../support/process/cli.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { fileDirectory, temporaryDirectory } from '../support/temporary-directory.ts'

const phones = await installPhones(0.1)
const directory = fileDirectory()
const names = Object.keys(fourFiles())
const mobile = 'DEF-9xx.csv'

const fetchInto = (dir: string, url: string, more: Partial<FetchDeps> = {}, options: Partial<FetchOptions> = {}) => {
  const deps = { clock: createClock(1), signal: new AbortController().signal, report: () => undefined }
  return fetchRegistry(
    { dir, url, caFile: undefined, allowLoss: false, intervalMs: 0, ...options },
    { ...deps, ...more },
  )
}

test('the first fetch imports all files, the next one downloads only what has changed', async (t) => {
  const dir = temporaryDirectory(t)
  const server = await startRegistryServer()
  const first = await fetchInto(dir, server.url)
  assert.deepEqual([first?.isNew, first?.registries.length, first?.unchanged], [true, 4, []])
  assert.deepEqual(
    server.served.splice(0),
    names.map((name) => `200 ${name}`),
  )
  assert.equal((await lookUpNumber(dir, 9_070_001_500)).range?.city, 'г. Камышовый')

  const second = await fetchInto(dir, `${server.url}/`.replace(/\/$/, ''))
  assert.deepEqual([second?.isNew, second?.version, second?.unchanged.length], [false, first?.version, 4])
  assert.deepEqual(
    server.served.splice(0),
    names.map((name) => `304 ${name}`),
  )

  server.files.set(mobile, fourFiles(101)[mobile] ?? Buffer.alloc(0))
  const third = await fetchInto(dir, server.url)
  assert.deepEqual(
    third?.registries.map(({ kind, diff }) => [kind, diff.added.numbers]),
    [['DEF-9xx', 1_000]],
  )
  assert.deepEqual(
    server.served.splice(0).filter((one) => one.startsWith('200')),
    [`200 ${mobile}`],
  )
  assert.deepEqual(
    readdirSync(dir).filter((name) => /^(download-|fetch\.lease)/.test(name)),
    [],
  )
})

test('Last-Modified is enough to find a file unchanged', async (t) => {
  const dir = temporaryDirectory(t)
  const server = await startRegistryServer()
  const modified = 'Wed, 19 Aug 2026 00:00:00 GMT'
  for (const [name, file] of server.files) {
    server.instead.set(name, (request, response) => {
      const isKnown = request.headers['if-modified-since'] === modified
      response.writeHead(isKnown ? 304 : 200, { 'last-modified': modified }).end(isKnown ? undefined : file)
    })
  }
  await fetchInto(dir, server.url)
  assert.equal((await fetchInto(dir, server.url))?.unchanged.length, 4)
})

test('a rollback is not undone by a fetch until the publisher changes the file', async (t) => {
  const dir = temporaryDirectory(t)
  const server = await startRegistryServer()
  const before = await fetchInto(dir, server.url)
  server.files.set(mobile, fourFiles(101)[mobile] ?? Buffer.alloc(0))
  await fetchInto(dir, server.url)
  assert.equal(await rollBack(dir), before?.version)
  assert.equal((await fetchInto(dir, server.url))?.version, before?.version)
})

type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => void
const html: Misbehaviour = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
const limits = { bytesMax: 20_000, silenceMs: 300, totalMs: 1_500 }

const refused: [title: string, behaviour: Misbehaviour, sentence: RegExp][] = [
  [
    'an error page',
    (_, response) => response.writeHead(503).end(),
    /DEF-9xx\.csv cannot be .*responded with status 503/,
  ],
  ['a page instead of a table', html, /DEF-9xx\.csv/],
  ['an empty file', (_, response) => response.writeHead(200).end(), /DEF-9xx\.csv is empty/],
  ['a file that lost rows', (_, response) => response.end(fourFiles(90)[mobile]), /90 rows instead of 100/],
  [
    'a file of another format',
    (_, response) => response.end(registryBytes([]).toString().replaceAll(';', ',')),
    /DEF-9xx\.csv/,
  ],
  [
    'a file that is announced too large',
    (_, response) => response.writeHead(200, { 'content-length': 20_001 }).flushHeaders(),
    /larger than 20000 bytes/,
  ],
  [
    'a file without an end',
    (_, response) => {
      const more = () => response.destroyed || (response.write(Buffer.alloc(4_096, 'x')), setTimeout(more, 1))
      more()
    },
    /larger than 20000 bytes/,
  ],
  [
    'a file that breaks off',
    (_, response) => {
      response.writeHead(200, { 'content-length': 1_000 }).write('900;')
      setTimeout(() => response.destroy(), 50)
    },
    /cannot be downloaded/,
  ],
  ['no response', () => undefined, /cannot be downloaded: Headers Timeout/],
  [
    'silence in the middle',
    (_, response) => response.writeHead(200).write('900;'),
    /cannot be downloaded: Body Timeout/,
  ],
  [
    'a trickle',
    (_, response) => {
      const more = () => response.destroyed || (response.write('9'), setTimeout(more, 100))
      more()
    },
    /not complete after 1\.5 s/,
  ],
  [
    'a redirect to another host',
    (_, response) => response.writeHead(302, { location: 'http://localhost:1/DEF-9xx.csv' }).end(),
    /it redirects to http:\/\/localhost:1\/DEF-9xx\.csv\. .* set RINGPROOF_REGISTRY_URL/,
  ],
  [
    'redirects without an end',
    (request, response) => response.writeHead(302, { location: request.url ?? '' }).end(),
    /more than 3 redirects/,
  ],
  ['a redirect to nowhere', (_, response) => response.writeHead(302).end(), /redirect without an address/],
]
for (const [title, behaviour, sentence] of refused) {
  test(`${title} is refused, and the data in use stays`, async (t) => {
    const dir = temporaryDirectory(t)
    const server = await startRegistryServer()
    const { version } = (await fetchInto(dir, server.url)) ?? {}
    // Another file has changed, too: it does not take effect alone.
    server.files.set('ABC-3xx.csv', fourFiles()['ABC-4xx.csv']?.subarray(0) ?? Buffer.alloc(0))
    server.instead.set(mobile, behaviour)
    await assert.rejects(fetchInto(dir, server.url, { limits }), { name: 'UsageError', message: sentence })
    assert.equal((await numberingStatus(dir)).version, version)
    assert.deepEqual(
      readdirSync(dir).filter((name) => /^(download-|fetch\.lease)/.test(name)),
      [],
    )
    // And once the publisher has corrected it, the fetch works.
    server.instead.clear()
    server.files.set('ABC-3xx.csv', fourFiles()['ABC-3xx.csv'] ?? Buffer.alloc(0))
    server.files.set(mobile, fourFiles(101)[mobile] ?? Buffer.alloc(0))
    assert.equal((await fetchInto(dir, server.url))?.isNew, true)
  })
}

test('a redirect on the same host is followed', async (t) => {
  const server = await startRegistryServer()
  server.instead.set(mobile, (_, response) => response.writeHead(301, { location: '/2026/mobile.csv' }).end())
  server.files.set('mobile.csv', fourFiles()[mobile] ?? Buffer.alloc(0))
  assert.equal((await fetchInto(temporaryDirectory(t), server.url))?.registries.length, 4)
})

test('over TLS only the named certificate authority is trusted, and no redirect leaves TLS', async (t) => {
  const dir = temporaryDirectory(t)
  const authority = testAuthority(dir, 'ours')
  const { certFile, keyFile } = authority.issue('IP:127.0.0.1')
  const server = await startRegistryServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) })
  const numbering = join(dir, 'numbering')
  await assert.rejects(fetchInto(numbering, server.url), /its certificate is not trusted .*RINGPROOF_REGISTRY_CA_FILE/)
  const trusted = { caFile: authority.certFile }
  assert.equal((await fetchInto(numbering, server.url, {}, trusted))?.registries.length, 4)
  const other = await startRegistryServer()
  server.instead.set(mobile, (_, response) => response.writeHead(302, { location: `${other.url}/${mobile}` }).end())
  await assert.rejects(fetchInto(numbering, server.url, {}, trusted), /it redirects to http:/)
  assert.deepEqual(other.served, [])
})

test('of two fetches at once one fetches and the other one does nothing', async (t) => {
  const dir = temporaryDirectory(t)
  const server = await startRegistryServer()
  const both = await Promise.all([fetchInto(dir, server.url), fetchInto(dir, server.url)])
  assert.equal(both.filter((one) => one === undefined).length, 1)
  assert.equal(server.served.length, 4)
})

test('the command fetches, reports the difference, and names what is missing', async (t) => {
  const dir = temporaryDirectory(t)
  const server = await startRegistryServer()
  const environment = {
    ...phones.environment,
    RINGPROOF_NUMBERING_DIR: join(dir, 'numbering'),
    RINGPROOF_REGISTRY_URL: server.url,
  }
  const { status, out, err } = await ringproof(environment, 'registry', 'fetch')
  assert.deepEqual([status, err], [0, ''])
  assert.match(out, /^DEF-9xx from DEF-9xx\.csv: 100 rows, 100 ranges, 100000 numbers\.$/m)
  assert.match(out, /^added +100 +100000$/m)
  const again = await ringproof(environment, 'registry', 'fetch')
  assert.match(again.out, /^Not changed since the last fetch: ABC-3xx, ABC-4xx, ABC-8xx, DEF-9xx\.$/m)
  const now = await ringproofJson<{ fetched_at: string }>(environment, 'registry', 'status')
  assert(Date.parse(now.fetched_at) > 0)
  server.files.set(mobile, fourFiles(90)[mobile] ?? Buffer.alloc(0))
  assert.match((await ringproof(environment, 'registry', 'fetch')).err, /If the loss is meant: --allow-loss/)
  assert.match((await ringproof(environment, 'registry', 'status')).out, /^The last fetch failed at 20.*--allow-loss$/m)
  assert.equal((await ringproof(environment, 'registry', 'fetch', '--allow-loss')).status, 0)
  const off = await ringproof({ ...environment, RINGPROOF_REGISTRY_URL: '' }, 'registry', 'fetch')
  assert.match(off.err, /^Set RINGPROOF_REGISTRY_URL/)
  const logged = await readOperatorActions(phones.slots.globalDatabase, { countMax: 10 })
  assert.deepEqual(
    logged.map(({ action }) => action),
    // What was refused is not in the log.
    ['registry fetch', 'registry fetch', 'registry fetch'],
  )
})

test('the keeper fetches when it is due, and a failure changes nothing', async (t) => {
  const dir = temporaryDirectory(t)
  const server = await startRegistryServer()
  const results: string[] = []
  const checked: (number | undefined)[] = []
  const logged: string[] = []
  // An hour takes 36 ms.
  const timeScale = 0.000_01
  const keeper = startRegistryFetch({
    numberingDir: dir,
    registryUrl: server.url,
    registryCaFile: undefined,
    registryFetchHours: 2,
    timeScale,
    notifyChanged: () => results.push('notified'),
    bus: undefined,
    clock: createClock(timeScale),
    events: {
      registryFetched: (result) => results.push(result),
      registryChecked: (atMs) => checked.push(atMs),
    },
    log: createLog({ write: (line) => logged.push(line) }),
  })
  t.after(() => keeper.close())
  await poll('a first and an unchanged fetch', () => results.includes('unchanged'))
  assert.deepEqual(results.slice(0, 2), ['changed', 'notified'])
  const { version } = await numberingStatus(dir)
  server.instead.set(mobile, html)
  await poll('a failed fetch', () => results.at(-1) === 'failed')
  // The time of the last success stays.
  assert.equal(checked.at(-1), (await numberingStatus(dir)).fetchedAtMs)
  assert.equal((await numberingStatus(dir)).version, version)
  server.instead.clear()
  server.files.set(mobile, fourFiles(101)[mobile] ?? Buffer.alloc(0))
  await poll('a changed fetch', () => results.filter((result) => result === 'changed').length === 2)
  const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>)
  const changes = lines.filter(({ msg, changed }) => msg === 'registry fetched' && changed === true)
  assert.deepEqual(
    changes.map(({ added, removed, moved }) => [added, removed, moved]),
    [
      [100_300, 0, 0],
      [1_000, 0, 0],
    ],
  )
  assert(lines.some(({ msg }) => msg === 'registry fetch failed'))
})

test('a server without numbering data fetches it at the start, and checkPhone uses it', async () => {
  const server = await startRegistryServer()
  const dir = join(directory, 'numbering')
  const environment = { ...phones.environment, RINGPROOF_NUMBERING_DIR: dir, RINGPROOF_REGISTRY_URL: server.url }
  const service = await makeService(phones)
  const { base, metrics } = await serveProcess({ ...phones, environment })
  const operator = async () => {
    const { json } = await ask(`${base}/v1.0/checkPhone?phone=79070001500`, { headers: service.bearer })
    return [json['provider'], json['region'], json['city']].join()
  }
  await poll('the registry to be used', operator, (text) => text === 'Камыш,Озёрный край,г. Камышовый')
  assert.match(await (await fetch(metrics)).text(), /^ringproof_registry_fetches_total\{result="changed"\} 1$/m)
})

test('a second keeper and a restart do not fetch before it is due', async () => {
  const server = await startRegistryServer()
  const dir = join(directory, 'numbering-of-two')
  const environment = { ...phones.environment, RINGPROOF_NUMBERING_DIR: dir, RINGPROOF_REGISTRY_URL: server.url }
  const both = await Promise.all([serveProcess({ ...phones, environment }), serveProcess({ ...phones, environment })])
  await poll('one of them to fetch', () => both.some(({ output }) => output().includes('registry fetched')))
  both[0].running.process.kill('SIGTERM')
  await both[0].running.ended
  const restarted = await serveProcess({ ...phones, environment })
  await restarted.running.says('"msg":"ready"')
  assert.equal(server.served.length, 4)
  assert(!restarted.output().includes('registry fetch'))
})

test('a process that is stopped during a fetch ends at once', async () => {
  const server = await startRegistryServer()
  server.instead.set(mobile, () => undefined)
  const dir = join(directory, 'numbering-of-stopped')
  const environment = { ...phones.environment, RINGPROOF_NUMBERING_DIR: dir, RINGPROOF_REGISTRY_URL: server.url }
  const { running } = await serveProcess({ ...phones, environment })
  await poll('the fetch to wait', () => server.served.length >= 3)
  const stoppedMs = performance.now()
  running.process.kill('SIGTERM')
  assert.equal((await running.ended).status, 0)
  assert(performance.now() - stoppedMs < 10_000)
  assert.deepEqual(readdirSync(dir), [])
})

test('an unreadable state only means that everything is downloaded again', async (t) => {
  const dir = temporaryDirectory(t)
  const server = await startRegistryServer()
  await fetchInto(dir, server.url)
  writeFileSync(join(dir, 'fetched.json'), '{')
  assert.deepEqual((await fetchInto(dir, server.url))?.unchanged, [])
})
