// A client that sends slowly, too much or garbage gets a short response and is disconnected, and no other client is
// affected. A client whose request is in flight at shutdown gets its response.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { test } from 'node:test'
import type { Client } from 'pg'
import { asOwner } from '../support/database/test-database.ts'
import { assertLastRefusal, connectRaw, type RawConnection, sendRaw } from '../support/http/raw-http.ts'
import { startSlowClients } from '../support/http/slow-clients.ts'
import { poll } from '../support/poll.ts'
import { install, makeService, type ServedProcess, serveProcess } from '../support/process/server.ts'

const installation = await install()
const served = await serveProcess(installation)
const service = await makeService(installation)
const authorization = `Authorization: ${service.bearer.authorization}\r\n`

const slowClients = 500
const aliveMsMax = 20_000
const roundsMin = 12
const roundsMax = 24
const probes = 100
const probesUnmeasured = 50

test('500 clients that send a byte a second slow nobody down, and are disconnected within 20 seconds', async (t) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const slow = startSlowClients({ base: served.base, authorization, size: slowClients })
  t.after(async () => {
    agent.destroy()
    await slow.close()
  })
  const calm: number[] = []
  const saturated: number[] = []
  const before = socketsOf(served)
  const isSlowed = () => p99(saturated) > 2 * p99(calm)
  // In turns, so that other load on this machine hits both alike; the more of it, the more turns are needed. All of
  // them count.
  for (let round = 0; round < roundsMin || (round < roundsMax && isSlowed()); round++) {
    await slow.leave()
    await crowdIsGone(before)
    calm.push(...(await probe(agent)))
    await slow.open()
    saturated.push(...(await probe(agent)))
  }
  // Idle database connections may have been closed meanwhile, some dozens at most.
  assert(socketsOf(served) >= before + slowClients * 0.9, 'the slow clients are not connected')
  const measured = `${calm.length} requests each: p99 alone ${rounded(p99(calm))} ms, next to slow clients ${rounded(p99(saturated))} ms`
  t.diagnostic(measured)
  assert(!isSlowed(), measured)

  const lives = await slow.lives()
  assert.equal(lives.length, slowClients)
  for (const kind of ['headers', 'body', 'silence'] as const) {
    const agesMs = lives.filter((life) => life.kind === kind).map((life) => life.aliveMs)
    t.diagnostic(
      `${kind}: ${agesMs.length} were hung up on after ${rounded(Math.min(...agesMs))} to ${rounded(Math.max(...agesMs))} ms`,
    )
    assert(Math.max(...agesMs) <= aliveMsMax, kind)
    assert(Math.min(...agesMs) >= 9_000, `${kind}: disconnected too early`)
  }
  // The clients keep their ends open; the server must close them.
  await crowdIsGone(before)
})

async function crowdIsGone(before: number): Promise<void> {
  await poll(
    'the server to close the slow connections',
    () => socketsOf(served),
    (count) => count < before + slowClients / 10,
  )
}

// The first requests are not counted: they pay for the change of phase.
async function probe(agent: Agent): Promise<number[]> {
  for (let n = 0; n < probesUnmeasured; n++) await probeMs(agent)
  const times: number[] = []
  for (let n = 0; n < probes; n++) times.push(await probeMs(agent))
  return times
}

async function probeMs(agent: Agent): Promise<number> {
  const startedMs = performance.now()
  const status = await new Promise((resolve, reject) => {
    get(`${served.base}/v1.0/getBalance`, { agent, headers: service.bearer }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    }).on('error', reject)
  })
  assert.equal(status, 200)
  return performance.now() - startedMs
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN
}

function rounded(ms: number): string {
  return ms.toFixed(ms < 100 ? 1 : 0)
}

const hugeBytes = 10 * 1024 * 1024
const chunked = 'Transfer-Encoding: chunked\r\n'
const announced = `Content-Length: ${hugeBytes}\r\n`
const fewKib = 'x'.repeat(4 * 1024)
// A body without a length is refused once it exceeds the limit.
const justTooMuch = `${hugeBytes.toString(16)}\r\n${'x'.repeat(20 * 1024)}`

const hugeRequests = [
  { name: 'announced, good key', verb: 'POST', head: authorization + announced, sent: fewKib, status: 413, code: 1 },
  { name: 'announced, no key', verb: 'POST', head: announced, sent: fewKib, status: 401, code: 401 },
  { name: 'chunked, good key', verb: 'POST', head: authorization + chunked, sent: justTooMuch, status: 413, code: 1 },
  { name: 'chunked, no key', verb: 'POST', head: chunked, sent: justTooMuch, status: 401, code: 401 },
  {
    name: 'Expect: 100-continue',
    verb: 'POST',
    head: `Expect: 100-continue\r\n${authorization}${announced}`,
    sent: '',
    status: 413,
    code: 1,
  },
  // The body of a GET has no meaning and is not read.
  { name: 'GET, announced', verb: 'GET', head: authorization + announced, sent: fewKib, status: 200, code: undefined },
  { name: 'GET, chunked', verb: 'GET', head: authorization + chunked, sent: justTooMuch, status: 200, code: undefined },
]

test('a 10 MB body is refused after a few KiB and never read', async (t) => {
  const small = JSON.stringify({ filler: 'a'.repeat(10_000) })
  const beforeSmall = bytesReadBy(served)
  const control = await fetch(`${served.base}/v1.0/getBalance`, {
    method: 'POST',
    headers: service.bearer,
    body: small,
  })
  assert.equal(control.status, 415, 'a short body is read')
  assert(bytesReadBy(served) - beforeSmall >= small.length, 'the bytes read are not counted')

  for (const { name, verb, head, sent, status, code } of hugeRequests) {
    const before = bytesReadBy(served)
    const connection = connectRaw(served.base)
    connection.socket.write(`${verb} /v1.0/getBalance HTTP/1.1\r\nHost: test\r\n${head}\r\n${sent}`)
    const response = await connection.answered
    const { code: said } = JSON.parse(response.body) as { code?: number }
    assert.deepEqual([response.status, said], [status, code], `${name}: ${response.body}`)
    if (head.includes(announced)) assert.equal(response.headers.get('connection'), 'close', name)
    assert(connection.socket.bytesWritten < 24 * 1024, `${name}: the response came late`)
    const answeredMs = performance.now()
    await pushUntilClosed(connection)
    assert(performance.now() - answeredMs < 3_000, `${name}: the connection closed late`)
    const taken = bytesReadBy(served) - before
    t.diagnostic(
      `${name}: ${status}, the client got rid of ${connection.socket.bytesWritten} bytes, ${taken} were read`,
    )
    assert(taken < 64 * 1024, `${name}: ${taken} bytes were read`)
  }
})

// The rest of the ten megabytes, as fast as the kernel accepts it. Its buffers take some of it unread.
async function pushUntilClosed({ socket, closed }: RawConnection): Promise<void> {
  const piece = Buffer.alloc(64 * 1024, 'x')
  for (let pushed = 0; pushed < hugeBytes && socket.writable; pushed += piece.length) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
  }
  await closed
}

const unreadable: [string, string, number][] = [
  ['headers above 16 KiB', `GET / HTTP/1.1\r\nHost: test\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['headers of a megabyte', `GET / HTTP/1.1\r\nHost: test\r\nX-Long: ${'a'.repeat(1024 * 1024)}\r\n\r\n`, 431],
  ['a URL above 16 KiB', `GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: test\r\n\r\n`, 431],
  ['garbage', '\x00\xff\x13\x37 no such thing\r\n\r\n', 400],
  ['a TLS ClientHello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['no host', 'GET /livez HTTP/1.1\r\n\r\n', 400],
  ['two hosts', 'GET /livez HTTP/1.1\r\nHost: one\r\nHost: two\r\n\r\n', 400],
]

for (const [name, bytes, status] of unreadable) {
  test(`${name}: ${status} as a regular refusal, and the connection closes`, async () => {
    assertLastRefusal(await sendRaw(served.base, bytes), status, 1)
  })
}

test('requests in flight at SIGTERM are answered, and the process exits with 0', async () => {
  const stopping = await serveProcess(installation)
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: test\r\n${authorization}\r\n`
  const [idle, silent, once200, twice200] = Array.from({ length: 4 }, () => connectRaw(stopping.base)) as Four
  // The API client is cached from here on, so that the next request waits only for the account.
  idle.socket.write(request('/v1.0/getBalance'))
  await Promise.all([idle.answered, once(silent.socket, 'connect')])

  const releasedMs = await asOwner(async (owner) => {
    await owner.query('BEGIN')
    await owner.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE')
    for (const { socket } of [once200, twice200]) socket.write(request('/v1.0/getBalance'))
    await twoWait(owner)
    stopping.running.process.kill('SIGTERM')
    await idle.closed
    // An open connection still accepts requests.
    twice200.socket.write(request('/v1.0/getBalance'))
    await silent.closed
    assert.match(String(await connectRaw(stopping.base).closed), /ECONNREFUSED/)
    assert.equal(once200.received() + twice200.received(), '')
    await owner.query('COMMIT')
    return performance.now()
  }, installation.database.ownerUrl)

  const { status, out, err } = await stopping.running.ended
  await Promise.all([once200.closed, twice200.closed])
  const statuses = ({ received }: RawConnection) => received().match(/(?<=HTTP\/1\.1 )\d+/g)
  assert.deepEqual([statuses(once200), statuses(twice200)], [['200'], ['200', '200']])
  assert.deepEqual([status, err], [0, ''], out)
  assert(performance.now() - releasedMs < 3_000, 'the process exited late')
})

type Four = [RawConnection, RawConnection, RawConnection, RawConnection]

async function twoWait(owner: Client): Promise<void> {
  const sql = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'accounts'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  const countWaiting = async () => (await owner.query(sql)).rowCount
  await poll('two requests to wait for the lock', countWaiting, (count) => count === 2)
}

function socketsOf({ running }: ServedProcess): number {
  const directory = `/proc/${running.process.pid}/fd`
  return readdirSync(directory).filter((name) => {
    try {
      return readlinkSync(`${directory}/${name}`).startsWith('socket:')
    } catch {
      // Closed since it was listed.
      return false
    }
  }).length
}

// All bytes that the process read, sockets included.
function bytesReadBy({ running }: ServedProcess): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${running.process.pid}/io`, 'utf8'))?.[1])
}
