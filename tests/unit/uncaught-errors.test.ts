// What a process must survive: each of these once ended it, by an error that nothing caught. The runner fails the test during
// which that happens.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { fastify } from 'fastify'
import type { Visitor } from '../../server/src/actions/people/visitor.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { makeMissingSecrets } from '../../server/src/process/secrets.ts'
import { watchSecrets } from '../../server/src/process/secrets-watch.ts'
import { readFromAsterisk } from '../../server/src/telephony/asterisk/http.ts'
import { addEvents } from '../../server/src/web/events.ts'
import { poll } from '../support/poll.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

test('Asterisk dies in the middle of a response', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n', () =>
        socket.resetAndDestroy(),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await assert.rejects(readFromAsterisk({ url: `http://127.0.0.1:${port}`, user: 'u', password: 'p' }, 'ari'))
  server.close()
  await someTurns()
})

test('the secrets directory is gone when the reminder of due keys looks', async (t) => {
  const secretsDir = join(temporaryDirectory(t), 'secrets')
  makeMissingSecrets(secretsDir, randomBytes)
  const logged: string[] = []
  // A day takes 86 ms.
  const clock = createClock(1e-6)
  const watch = watchSecrets({
    secretsDir,
    verificationDays: 30,
    clock,
    log: createLog({ write: (line) => void logged.push(line) }),
  })
  rmSync(secretsDir, { recursive: true })
  await poll('the reminder to report it', () => logged.some((line) => line.includes('key age not known')))
  await watch.close()
  await someTurns()
})

test('a stream of events that waits behind another response ends, and has more to say', async () => {
  const app = fastify()
  const hints = new Map<number, (topics: readonly []) => void>()
  const ended = new Set<number>()
  addEvents(
    app,
    {
      watchLive: (accountId, onTopics) => {
        hints.set(accountId, onTopics)
        return { close: () => void hints.delete(accountId) }
      },
      // A heartbeat every 15 ms.
      clock: createClock(0.001),
      stopping: new AbortController().signal,
    },
    async ({ query }) => {
      const id = Number((query as { id: string }).id)
      return ended.has(id)
        ? undefined
        : ({
            session: { stage: 'signed-in' },
            user: { id },
            membership: { accountId: id },
            rights: ['read'],
          } as unknown as Visitor)
    },
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  for (const id of [1, 2]) socket.write(`GET /web/events?id=${id} HTTP/1.1\r\nhost: a\r\n\r\n`)
  socket.resume()
  await poll('both streams to be open', () => hints.size === 2)
  const hint = hints.get(2)
  ended.add(2)
  await poll('the second to end', () => !hints.has(2))
  for (let n = 0; n < 3; n += 1) hint?.([])
  socket.destroy()
  await app.close()
  await someTurns()
})

// Errors of sockets are reported in a later turn of the event loop, and then the test must still run.
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
