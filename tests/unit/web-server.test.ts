// What happens to a connection when the response precedes the request body.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { createWebServer, siteHeaders } from '../../server/src/http/web-server.ts'
import { createClock } from '../../server/src/process/clock.ts'

const server = createWebServer(
  createClock(1),
  siteHeaders('http://127.0.0.1:8080'),
  (request, response) => void response.end(`answered ${request.url}`),
)
await once(server.listen(0, '127.0.0.1'), 'listening')
const { port } = server.address() as AddressInfo
after(() => server.close())

test('a short body that arrives after its response is read, and the connection stays open', async () => {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  const closed = once(socket, 'close').then(() => Promise.reject(new Error('the connection was closed')))
  closed.catch(() => undefined)
  const response = async () => String((await Promise.race([once(socket, 'data'), closed]))[0])
  socket.write('POST /first HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n')
  assert.match(await response(), /answered \/first/)
  socket.write('{}GET /second HTTP/1.1\r\nhost: localhost\r\n\r\n')
  assert.match(await response(), /answered \/second/)
  socket.destroy()
})

for (const head of ['content-length: 20000', 'transfer-encoding: chunked']) {
  test(`a body that may be long is not read after its response: ${head}`, async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const closed = once(socket, 'close')
    let received = ''
    socket.on('data', (text: string) => (received += text))
    socket.write(`POST /long HTTP/1.1\r\nhost: localhost\r\n${head}\r\n\r\n`)
    await closed
    assert.match(received, /answered \/long/)
  })
}
