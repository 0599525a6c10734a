import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { createMailer } from '../../server/src/mail/mailer.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'

const recipients: string[] = []
// A mail server as far as a message needs one.
const server = createServer((socket) => {
  let isData = false
  socket.on('error', () => undefined)
  socket.write('220 sink\r\n')
  createInterface(socket).on('line', (line) => {
    if (isData) {
      if (line !== '.') return
      isData = false
    }
    if (/^RCPT TO:/i.test(line)) recipients.push(line.replace(/^RCPT TO:/i, '').trim())
    isData = line === 'DATA'
    socket.write(isData ? '354 go on\r\n' : '250 yes\r\n')
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

test('one message has one recipient, whatever its address could be read as', async () => {
  const { port } = server.address() as AddressInfo
  const settings = { url: `smtp://127.0.0.1:${port}`, from: 'Ring <ring@example.org>', dir: '' }
  const mailer = createMailer(settings, createClock(1), createLog({ write: () => undefined }))
  const message = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  for (const to of ['you@example.org', '0,victim@example.org', '0<victim@example.org>', 'g:victim@example.org;']) {
    recipients.length = 0
    await mailer.sendNow({ ...message, to }).catch(() => undefined)
    assert.ok(!recipients.includes('<victim@example.org>'), `${to} reached ${recipients.join(' ')}`)
    if (to === 'you@example.org') assert.deepEqual(recipients, ['<you@example.org>'])
  }
  await mailer.close()
})
