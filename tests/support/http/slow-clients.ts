// Clients that send a byte a second. They run in another process: in the measuring one, their sockets and garbage would
// distort the measurement.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connectRaw, type RawConnection } from './raw-http.ts'

export type SlowKind = 'headers' | 'body' | 'silence'
export type Life = { readonly kind: SlowKind; readonly aliveMs: number }

export type SlowClients = {
  // All of them are connected when this resolves.
  readonly open: () => Promise<unknown>
  readonly leave: () => Promise<unknown>
  // How long each of the last clients was connected, once the server has disconnected all of them.
  readonly lives: () => Promise<readonly Life[]>
  readonly close: () => Promise<unknown>
}

type Plan = { readonly base: string; readonly authorization: string; readonly size: number }
type Request = 'open' | 'leave' | 'lives'
type SlowClient = { readonly connection: RawConnection; readonly next: () => string; readonly life: Promise<Life> }

export function startSlowClients(plan: Plan): SlowClients {
  const child = fork(import.meta.filename, [JSON.stringify(plan)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const gone = once(child, 'exit').then(() => {
    throw new Error('the slow clients have exited')
  })
  gone.catch(() => undefined)
  const request = async (what: Request): Promise<unknown> => {
    child.send(what)
    const [response] = (await Promise.race([once(child, 'message'), gone])) as [unknown]
    return response
  }
  return {
    open: () => request('open'),
    leave: () => request('leave'),
    lives: async () => (await request('lives')) as Life[],
    close: async () => {
      child.disconnect()
      await gone.catch(() => undefined)
    },
  }
}

if (import.meta.main) runClients(JSON.parse(process.argv[2] ?? '') as Plan)

function runClients(plan: Plan): void {
  let clients: SlowClient[] = []
  let turn = 0
  // Each sends a byte a second at its own offset, like independent clients.
  const dribbling = setInterval(() => {
    for (let n = 0; n < plan.size / 50; n++) {
      const client = clients[turn++ % plan.size]
      if (client?.connection.socket.writable) client.connection.socket.write(client.next())
    }
  }, 20)
  const leave = () => clients.forEach(({ connection }) => connection.socket.destroy())
  const fulfil = async (what: Request): Promise<unknown> => {
    if (what === 'lives') return Promise.all(clients.map(({ life }) => life))
    leave()
    if (what === 'leave') return what
    clients = await Promise.all(Array.from({ length: plan.size }, (_, n) => connectSlowly(plan, n)))
    return what
  }
  process.on('message', (what: Request) => {
    fulfil(what).then(
      (response) => process.send?.(response),
      () => process.exit(1),
    )
  })
  process.once('disconnect', () => {
    clearInterval(dribbling)
    leave()
  })
}

// Half of them send headers, a quarter a body, a quarter nothing. None ever closes its side.
async function connectSlowly({ base, authorization }: Plan, n: number): Promise<SlowClient> {
  const kind: SlowKind = n % 2 === 0 ? 'headers' : n % 4 === 1 ? 'body' : 'silence'
  const connection = connectRaw(base, { stubborn: true })
  await once(connection.socket, 'connect')
  const sinceMs = performance.now()
  const hungUp = Promise.race([connection.ended, connection.closed])
  const life = hungUp.then(() => ({ kind, aliveMs: performance.now() - sinceMs }))
  return { connection, next: slowText(kind, authorization), life }
}

function slowText(kind: SlowKind, authorization: string): () => string {
  const body = JSON.stringify({ filler: 'a'.repeat(100) })
  const head = `POST /v1.0/getBalance HTTP/1.1\r\nHost: test\r\n${authorization}Content-Length: ${body.length}\r\n\r\n`
  let at = 0
  if (kind === 'silence') return () => ''
  if (kind === 'body') return () => (at === 0 ? head : '') + body.charAt(at++)
  return () => head.charAt(at++)
}
