// The HTTP load generator, in a separate process. It writes to sockets directly: a client library would use more CPU than the
// server it measures.

import { connect, type Socket } from 'node:net'
import { serveJobs } from './child.ts'
import { type Load, type Measured, type Outcome, runLoad } from './load.ts'

export type GeneratorOpening = { readonly bearers: readonly string[] }

export type GeneratorJob = {
  // `fastify` and `constant` are anchors of getInfo.
  readonly kind: 'initCall' | 'getInfo' | 'fastify' | 'constant'
  readonly port: number
  readonly load: Load
  // Requests are spread over this many services; 1 is the hot account.
  readonly services: number
}

const connectionsMax = 1_024
const bodyBytesMax = 64 * 1024

type ApiResponse = { readonly status: number; readonly body: string }
type Connection = { readonly ask: (request: string) => Promise<ApiResponse> }
type Pool = Connection & { readonly grow: (count: number) => Promise<void>; readonly close: () => void }

// Accepted verifications, for getInfo: service and ID.
const accepted: (readonly [service: number, id: number])[] = []
const acceptedMax = 20_000
let serial = 0

serveJobs(async ({ bearers }: GeneratorOpening) => {
  const pools = new Map<number, Pool>()
  return async (job: GeneratorJob): Promise<Measured> => {
    const pool = pools.get(job.port) ?? createPool(job.port)
    pools.set(job.port, pool)
    await pool.grow('clients' in job.load ? job.load.clients : connectionsMax)
    const ask = { initCall, getInfo, fastify: getInfo, constant }[job.kind]
    const measured = await runLoad(job.load, () => ask(pool.ask, bearers, job.services).catch((): Outcome => 'failed'))
    // A late response must not arrive during the next job.
    if (measured.failed > 0) {
      pool.close()
      pools.delete(job.port)
    }
    return measured
  }
})

async function initCall(ask: Connection['ask'], bearers: readonly string[], services: number): Promise<Outcome> {
  const n = serial++
  const service = n % services
  const body = `{"phone":"7907${String(n).padStart(7, '0')}","unique":"order-${String(n).padStart(10, '0')}"}`
  const response = await ask(
    `POST /v1.0/initCall HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${bearers[service]}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  if (response.status === 200 && accepted.length < acceptedMax) {
    accepted.push([service, (JSON.parse(response.body) as { vendor_id: number }).vendor_id])
  }
  return outcomeOf(response)
}

async function getInfo(ask: Connection['ask'], bearers: readonly string[]): Promise<Outcome> {
  const [service, id] = accepted[serial++ % accepted.length] ?? [0, 0]
  return outcomeOf(
    await ask(`GET /v1.0/getInfo?uid=${id} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${bearers[service]}\r\n\r\n`),
  )
}

async function constant(ask: Connection['ask']): Promise<Outcome> {
  return outcomeOf(await ask('GET /v1.0/getInfo?uid=7000000000000000 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'))
}

function outcomeOf({ status, body }: ApiResponse): Outcome {
  if (status === 200) return 'good'
  if (status !== 503 && status !== 429) return 'failed'
  const { code, error, ...rest } = JSON.parse(body) as Record<string, unknown>
  const isOurForm = typeof error === 'string' && rest['status'] === false && (status === 429 || code === 5)
  return isOurForm ? 'refused' : 'failed'
}

// Connections are open before the load starts and are reused from job to job, like those of clients with keep-alive. A server
// in Node accepts one new connection per turn of its event loop, and that would be measured instead. A request that finds no
// free connection waits, and the wait counts.
function createPool(port: number): Pool {
  const open = new Map<Connection, Socket>()
  let free: Connection[] = []
  const waiting: ((connection: Connection) => void)[] = []
  const connectOne = async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const connection = createConnection(socket)
    // The server closes idle connections.
    socket.once('close', () => {
      open.delete(connection)
      free = free.filter((other) => other !== connection)
    })
    await connection.ask('GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
    open.set(connection, socket)
    free.push(connection)
  }
  return {
    grow: async (count) => {
      await Promise.all(Array.from({ length: Math.max(0, count - open.size) }, connectOne))
    },
    ask: async (request) => {
      const connection = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)))
      const response = await connection.ask(request)
      const next = waiting.shift()
      if (next) next(connection)
      else free.push(connection)
      return response
    },
    close: () => {
      for (const socket of open.values()) socket.destroy()
    },
  }
}

// One request at a time. When a connection breaks, its request fails and the connection is not used again.
function createConnection(socket: Socket): Connection {
  let text = ''
  let asked: { resolve: (response: ApiResponse) => void; reject: (error: Error) => void } | undefined
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    const bodyAt = text.indexOf('\r\n\r\n') + 4
    if (bodyAt < 4) return
    const length = Number(/\ncontent-length: *(\d+)/i.exec(text.slice(0, bodyAt))?.[1] ?? bodyBytesMax)
    if (text.length < bodyAt + length) return
    const response = { status: Number(text.slice(9, 12)), body: text.slice(bodyAt) }
    text = ''
    asked?.resolve(response)
  })
  socket.on('error', (error) => asked?.reject(error))
  socket.on('close', () => asked?.reject(new Error('the connection was closed')))
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        asked = { resolve, reject }
        socket.write(request)
      }),
  }
}
