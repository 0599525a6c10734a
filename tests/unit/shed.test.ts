// Load shedding: a call start over the limit gets a regular refusal, over a connection that stays open.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { errorLinkOf, problemTypeOf } from '../../server/src/http/error-link.ts'
import { shedding } from '../../server/src/http/shed.ts'
import { createWebServer, siteHeaders } from '../../server/src/http/web-server.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createEvents } from '../../server/src/process/metrics/events.ts'
import { poll } from '../support/poll.ts'

const events = createEvents('test', () => 0)
let isSaturated = true
const clock = createClock(1)
const server = createWebServer(
  clock,
  siteHeaders('http://127.0.0.1:8080'),
  shedding(
    {
      isSaturated: () => isSaturated,
      errorLink: errorLinkOf('https://calls.example.org'),
      problemType: problemTypeOf('https://calls.example.org'),
      clock,
      events,
    },
    (_, response) => void response.writeHead(200).end('served'),
  ),
)
await once(server.listen(0, '127.0.0.1'), 'listening')
const { port } = server.address() as AddressInfo
const base = `http://127.0.0.1:${port}`
after(() => server.close())

test('while saturated, a call start gets code 5 and other methods are served', async () => {
  isSaturated = true
  for (const path of ['/v1.0/initCall', '/v1.0/initCall?phone=79070000180', '/v1.0/inboundCallWaiting']) {
    const response = await fetch(base + path, { headers: { 'accept-language': 'ru' } })
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '1')
    assert.equal(response.headers.get('link'), '<https://calls.example.org/docs/errors/5>; rel="help"')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    const { status, code, error } = (await response.json()) as Record<string, unknown>
    assert.deepEqual([status, code], [false, 5])
    assert.match(String(error), /[а-я]/)
  }
  assert.equal(await (await fetch(`${base}/v1.0/getInfo`)).text(), 'served')
  assert.match(await events.exposition(), /_count\{api_method="initCall",http_status="503",code="5"\} 2/)

  isSaturated = false
  assert.equal(await (await fetch(`${base}/v1.0/initCall`)).text(), 'served')
})

test('a late body is read before the refusal, and the connection stays open', async () => {
  isSaturated = true
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (text: string) => (received += text))
  const head = 'POST /v1.0/initCall HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n'
  for (let round = 0; round < 2; round++) {
    received = ''
    socket.write(`${head}01234`)
    // The server reads the half body before the first of these requests, and we read an early response before the second.
    for (let n = 0; n < 2; n++) assert.equal(await (await fetch(`${base}/v1.0/getInfo`)).text(), 'served')
    assert.equal(received, '', 'no response before the body is complete')
    socket.write('56789')
    await poll('the response', () => received.endsWith('"code":5}'))
    assert.match(received, /^HTTP\/1\.1 503 /)
  }
  socket.destroy()
})

for (const [name, head] of [
  ['announced, and asked about first', 'content-length: 10485760\r\nexpect: 100-continue\r\n'],
  ['announced', 'content-length: 10485760\r\n'],
  ['without an end', 'transfer-encoding: chunked\r\n'],
] as const) {
  test(`a body that is too large is not read: ${name}`, async () => {
    isSaturated = true
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const closed = once(socket, 'close')
    let received = ''
    socket.on('data', (text: string) => (received += text))
    socket.write(`POST /v1.0/initCall HTTP/1.1\r\nhost: localhost\r\n${head}\r\n`)
    if (head.startsWith('transfer')) socket.write(`5000\r\n${'x'.repeat(0x5000)}\r\n`)
    await closed
    assert.match(received, /^HTTP\/1\.1 503 /)
    assert.match(received, /connection: close/i)
  })
}
