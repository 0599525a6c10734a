// Ringproof without HTTP: the actions, batches and dispatch of a serving process, called directly.

import { startVerification } from '../server/src/actions/verifications/start-verification.ts'
import { readApiClients } from '../server/src/db/accounts/api-client.ts'
import type { Session } from '../server/src/db/core/database.ts'
import { createSlotMap, type SlotMap } from '../server/src/db/core/slot-map.ts'
import { createRoutingTable } from '../server/src/db/trunks/routing-table.ts'
import { createCallBatches } from '../server/src/db/verifications/call-batches.ts'
import { acceptCalls, type CallEnd } from '../server/src/db/verifications/verification.ts'
import type { ApiClient } from '../server/src/domain/accounts/api-client.ts'
import { type ServiceId, slotsAll, type VerificationId } from '../server/src/domain/core/slot.ts'
import { nonceBytes } from '../server/src/domain/crypto/sealing.ts'
import { emptyNumberingIndex } from '../server/src/domain/numbers/numbering-index.ts'
import { type PhoneNumber, subscriberHashes } from '../server/src/domain/numbers/phone-number.ts'
import { type CallOrder, sealOrder } from '../server/src/domain/verifications/call-order.ts'
import type { CallRequest } from '../server/src/domain/verifications/call-request.ts'
import { type Bus, connectBus } from '../server/src/engine/core/bus.ts'
import { createDispatch } from '../server/src/engine/verifications/dispatch.ts'
import { createClock } from '../server/src/process/clock.ts'
import { createLog } from '../server/src/process/log/log.ts'
import { createRandomBytes } from '../server/src/process/random-bytes.ts'
import { type NamedKeys, namedKeys, readSecrets } from '../server/src/process/secrets.ts'
import { serveJobs } from './child.ts'
import { type Load, type Measured, runLoad } from './load.ts'

export type DriverOpening = {
  readonly urls: readonly [string, ...string[]]
  readonly secretsDir: string
  readonly natsUrl: string
  readonly prefix: string
  readonly serviceIds: readonly number[]
}

export type DriverJob =
  | {
      // The lifecycle leaves out that the phone rings.
      readonly kind: 'accept' | 'lifecycle' | 'verification'
      readonly databases: number
      readonly services: number
      readonly load: Load
    }
  | { readonly kind: 'dispatchCall'; readonly load: Load }
  | { readonly kind: 'jetstream'; readonly seconds: number; readonly size: number }
  | { readonly kind: 'requests'; readonly batches: number; readonly size: number }

export type DriverResult = Measured & {
  // Average number of requests in a batch.
  readonly batchSize: number
  // Batches of requests as JSON, as accept_calls takes them.
  readonly requests: readonly string[]
}

type Start = Parameters<typeof startVerification>[0]
type BenchEnv = {
  readonly keys: NamedKeys
  readonly apiClients: readonly [ApiClient, ...ApiClient[]]
  readonly bus: Bus
  readonly dispatchCall: (order: CallOrder) => Promise<void>
  // Over one database, over two and so on.
  readonly starts: readonly { readonly start: Start; readonly sizes: () => number }[]
}

// Above any serial of the HTTP generator, so that numbers and keys never collide.
let serial = 4_000_000

serveJobs(async (opening: DriverOpening) => {
  const env = await createBenchEnv(opening)
  return async (job: DriverJob): Promise<DriverResult> => {
    const nothing = { ...(await runLoad({ seconds: 0, clients: 0 }, async () => 'good')), batchSize: 0, requests: [] }
    switch (job.kind) {
      case 'accept':
      case 'lifecycle':
      case 'verification':
        return { ...nothing, ...(await loadDatabase(env, job)) }
      case 'dispatchCall':
        return { ...nothing, ...(await loadDispatch(env, job.load)) }
      case 'jetstream':
        return { ...nothing, ...(await loadJetStream(env, job)) }
      case 'requests':
        return { ...nothing, requests: await makeRequests(env, job) }
    }
  }
})

async function createBenchEnv({ urls, secretsDir, natsUrl, prefix, serviceIds }: DriverOpening): Promise<BenchEnv> {
  const log = createLog({ write: () => undefined })
  const keys = namedKeys(readSecrets(secretsDir))
  const spread = urls.map((_, more) =>
    createSlotMap(new Map(slotsAll.map((slot) => [slot, urls[slot % (more + 1)] ?? urls[0]]))),
  )
  const [one] = spread as [SlotMap, ...SlotMap[]]
  const table = await createRoutingTable(one.globalDatabase, createClock(1))
  const startOver = (slots: SlotMap) => {
    const sizes = countBatches(slots)
    const batches = createCallBatches(slots, 1)
    const start: Start = {
      slots,
      keys,
      batches,
      routing: table.current,
      numbers: () => emptyNumberingIndex,
      randomBytes: createRandomBytes(),
      monotonicMs: () => performance.now(),
      timeScale: 1,
      prefixHourMax: undefined,
      dispatchCall: async () => undefined,
      queueFaultOf: () => undefined,
      openOrdersOf: () => 0,
      keepForRepeat: async () => {},
    }
    return { start, sizes }
  }
  const apiClients = (await readApiClients(one.globalDatabase, serviceIds as ServiceId[])).map((found) => {
    if (!found) throw new Error('a service was not found')
    return found.apiClient
  })
  const bus = await connectBus({ natsUrls: [natsUrl] }, prefix, 1, createClock(1), log)
  const { dispatchCall } = createDispatch({
    bus,
    keys,
    randomBytes: createRandomBytes(),
    clock: createClock(1),
    events: { queuesMeasured: () => undefined },
  })
  return {
    keys,
    apiClients: apiClients as unknown as BenchEnv['apiClients'],
    bus,
    dispatchCall,
    starts: spread.map(startOver),
  }
}

type Query = string | { readonly name: string; readonly values: readonly unknown[] }

// Every batch is one call of accept_calls and returns one row per request.
function countBatches({ databases }: SlotMap): () => number {
  let [calls, items] = [0, 0]
  for (const database of databases) {
    const query = database.query.bind(database) as (query: Query, values?: unknown[]) => Promise<{ rowCount: number }>
    const counted = async (asked: Query, values?: unknown[]) => {
      const result = await query(asked, values)
      if (typeof asked !== 'string' && asked.name === 'accept-calls') {
        calls += 1
        items += result.rowCount
      }
      return result
    }
    database.query = counted as unknown as typeof database.query
  }
  return () => {
    const size = items / calls
    calls = items = 0
    return size
  }
}

async function loadDatabase(
  { starts, apiClients }: BenchEnv,
  job: DriverJob & { kind: 'accept' | 'lifecycle' | 'verification' },
): Promise<Measured & { batchSize: number }> {
  const { start, sizes } = startAt(starts, job.databases)
  sizes()
  const measured = await runLoad(job.load, async () => {
    const command = nextCommand()
    const apiClient = apiClients[serial % job.services] ?? apiClients[0]
    const { vendor_id: id } = await startVerification(start, apiClient, command)
    if (job.kind !== 'accept') await claimAndEnd(start, id as VerificationId, command.phone, job.kind)
    return 'good'
  })
  return { ...measured, batchSize: sizes() }
}

function startAt(starts: BenchEnv['starts'], databases: number): BenchEnv['starts'][number] {
  const found = starts[databases - 1]
  if (!found) throw new RangeError(`there are no ${databases} databases`)
  return found
}

function nextCommand() {
  const n = serial++
  const phone = `7907${String(n).padStart(7, '0')}` as PhoneNumber
  return { phone, code: undefined, client: '', unique: `order-${String(n).padStart(10, '0')}`, mode: 'flash' } as const
}

async function claimAndEnd(
  { batches, keys }: Start,
  id: VerificationId,
  phone: PhoneNumber,
  kind: 'lifecycle' | 'verification',
): Promise<void> {
  const claimed = await batches.claim({ id, attempt: 1, trunk: 'bench', callerNumber: 70000000001, token: id })
  if (claimed === undefined) throw new Error('a claim was refused')
  if (kind === 'verification') await batches.rang({ id, attempt: 1 })
  const timing = { postDialMs: 500, ringMs: 5_000, endedBy: 'us' } as const
  const number = { numberHashes: subscriberHashes(keys.phoneSubscriber, phone), numberLeaseId: id }
  const end: CallEnd = { id, attempt: 1, succeeded: true, reason: 'rang', sipStatus: 487, timing, ...number }
  if (!(await batches.end(end))) throw new Error('a call had already ended')
}

// An order as initCall creates it; no node will dial it.
async function sampleOrder({ starts, apiClients }: BenchEnv): Promise<CallOrder> {
  const { start } = startAt(starts, 1)
  const made = Promise.withResolvers<CallOrder>()
  const dispatchCall = async (order: CallOrder) => made.resolve(order)
  await startVerification({ ...start, dispatchCall }, apiClients[0], nextCommand())
  return made.promise
}

async function loadDispatch(env: BenchEnv, load: Load): Promise<Measured> {
  const order = await sampleOrder(env)
  let id = order.id
  return runLoad(load, async () => {
    await env.dispatchCall({ ...order, id: ++id as VerificationId })
    return 'good'
  })
}

async function loadJetStream(env: BenchEnv, { seconds, size }: { seconds: number; size: number }): Promise<Measured> {
  const payload = sealOrder(env.keys.sealNumbers, await sampleOrder(env), createRandomBytes()(nonceBytes))
  const subject = env.bus.names.subjectOf('bench')
  const measured = await runLoad({ seconds, clients: 1 }, async () => {
    const batch = await env.bus.client.startBatch(subject, payload)
    for (let n = 2; n < size; n++) batch.add(subject, payload)
    await batch.commit(subject, payload)
    return 'good'
  })
  return { ...measured, perSecond: measured.perSecond * size, good: measured.good * size }
}

// The arguments of accept_calls, caught on their way to the database, so that they always have the current format.
async function makeRequests(
  { starts, apiClients }: BenchEnv,
  { batches, size }: { batches: number; size: number },
): Promise<readonly string[]> {
  const { start } = startAt(starts, 1)
  const caught: CallRequest[] = []
  const accept = async (request: CallRequest) => {
    caught.push(request)
    return { decision: 'no-money', id: null, retryMs: null } as const
  }
  const catching = { ...start, batches: { ...start.batches, accept } }
  const texts: string[] = []
  const session = { query: async ({ values }: Exclude<Query, string>) => texts.push(String(values[0])) && { rows: [] } }
  for (let batch = 0; batch < batches; batch++) {
    for (let n = 0; n < size; n++) {
      const apiClient = apiClients[serial % apiClients.length] ?? apiClients[0]
      await startVerification(catching, apiClient, nextCommand()).catch(() => undefined)
    }
    await acceptCalls(session as unknown as Session, caught.splice(0), 1)
  }
  return texts
}
