// What every run does besides its faults: requests in time, the proof that calls work again afterwards, and values that
// the search for secrets must find.

import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Clients } from './clients.ts'
import type { Recorder } from './histories.ts'
import { asUser, type Filled } from './installation.ts'
import { numberOf, type PlannedRequest } from './plan.ts'
import { settled } from './record.ts'

// Seeded, so that the search is known to work.
export const control = numberOf(9_999, '180')
const controlSubject = 'crash-control'

const tickMs = 100
const standstillMs = 500

// A shared machine may stall for seconds. Whatever was due then is late by as much.
export function noteStandstills(recorder: Recorder): () => void {
  let lastMs = Date.now()
  const ticking = setInterval(() => {
    const nowMs = Date.now()
    if (nowMs - lastMs > standstillMs) {
      recorder.fault({ act: 'standstill', victim: 'machine', atMs: lastMs, backAtMs: nowMs })
    }
    lastMs = nowMs
  }, tickMs)
  return () => clearInterval(ticking)
}

export async function sendAll(clients: Clients, requests: readonly PlannedRequest[]): Promise<void> {
  const startedMs = performance.now()
  await Promise.all(
    requests.map(async (request) => {
      await sleep(Math.max(0, request.atMs - (performance.now() - startedMs)))
      await clients.send(request)
    }),
  )
}

export const afterwards: readonly PlannedRequest[] = ([0, 1] as const).flatMap((nth): PlannedRequest[] => {
  const common = { kind: 'after', atMs: 0, service: 'red', api: nth, node: nth, receiverFailures: 0 } as const
  return [
    { ...common, n: 90_000 + nth, mode: 'flash', phone: numberOf(9_990 + nth, '586'), subscriberCalls: 0 },
    { ...common, n: 90_002 + nth, mode: 'inbound', phone: numberOf(9_992 + nth, '180'), subscriberCalls: 1 },
  ]
})

// When everything is final, a new call and a new inbound request must work without manual repair; then everything is
// read once more.
export async function checkRecovery(
  recorder: Recorder,
  say: (text: string) => void,
  installation: Pick<Filled, 'ownerUrls'>,
  clients: Clients,
): Promise<void> {
  const open = await settled(installation)
  say(open === 0 ? 'everything is final' : `${open} verifications or webhooks are still open`)
  await sendAll(clients, afterwards)
  await settled(installation)
  await clients.askAll()
  recorder.fault({ act: 'recovered', victim: 'nobody', atMs: Date.now(), backAtMs: Date.now() })
}

// In a table and in a stream. A run that shares its servers with earlier ones seeds them again.
export async function seedControls(ownerUrls: readonly string[], natsUrl: string, replicas = 1): Promise<void> {
  for (const url of ownerUrls) {
    const table = `CREATE TABLE crash_control AS SELECT '${control}'::text AS number`
    await asUser(url, ['DROP TABLE IF EXISTS crash_control', table])
  }
  const urls = natsUrl.split(',').map((url) => new URL(url))
  const { username = '', password = '' } = urls[0] ?? {}
  const connection = await connect({ servers: urls.map(({ host }) => host), user: username, pass: password })
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: controlSubject, subjects: [controlSubject], num_replicas: replicas })
  await connection.request(controlSubject, control)
  await connection.close()
}
