// Runs inside the box of Docker: starts calls at a steady rate until its standard input ends, then waits for the result of
// each. Prints one line of JSON.
//
//   node load-inside.ts BASE KEY PER-SECOND

import { setTimeout as sleep } from 'node:timers/promises'

const [base = '', key = '', rate = ''] = process.argv.slice(2)
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const stopping = new AbortController()
process.stdin.on('end', () => stopping.abort()).resume()

const beganMs = performance.now()
const acceptedMs: number[] = []

type Started = { readonly id: number | undefined; readonly failure: string }

async function start(): Promise<Started> {
  const dueMs = performance.now()
  // When it was sent and how long it took: the log of the containers explains the rest.
  const when = () => `${Math.round((dueMs - beganMs) / 1_000)} s, after ${Math.round(performance.now() - dueMs)} ms: `
  try {
    const body = JSON.stringify({ phone: '79000000001' })
    const response = await fetch(`${base}/v1.0/initCall`, { method: 'POST', headers, body })
    const text = await response.text()
    const json = JSON.parse(text) as { status: boolean; vendor_id?: number }
    if (json.status) acceptedMs.push(performance.now())
    return { id: json.vendor_id, failure: json.status ? '' : `${when()}${response.status} ${text}` }
  } catch (error) {
    return { id: undefined, failure: `${when()}${String(error)} ${error instanceof Error ? String(error.cause) : ''}` }
  }
}

// 1: verified, 0: failed, -1: still pending after a minute, undefined: unknown to the server.
async function resultOf(id: number): Promise<number | undefined> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const response = await fetch(`${base}/v1.0/getInfo?uid=${id}`, { headers })
    const { call_status: status } = (await response.json()) as { call_status?: number }
    if (response.status !== 503 && status !== -1) return status
    await sleep(1_000)
  }
  return -1
}

const started: Promise<Started>[] = []
while (!stopping.signal.aborted) {
  started.push(start())
  await sleep(Math.max(0, beganMs + (started.length * 1_000) / Number(rate) - performance.now()))
}
const requests = await Promise.all(started)
const endedMs = performance.now()
const failures = requests.filter(({ failure }) => failure !== '').map(({ failure }) => failure)
const ids = requests.flatMap(({ id }) => (id === undefined ? [] : [id]))
const counts = { verified: 0, failed: 0, lost: 0 }
for (const id of ids) {
  const result = await resultOf(id)
  counts[result === 1 ? 'verified' : result === 0 ? 'failed' : 'lost'] += 1
}
const times = [beganMs, ...acceptedMs, endedMs]
// The longest time without an accepted call.
const gapMs = Math.max(...times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0)))
process.stdout.write(
  `${JSON.stringify({ requests: requests.length, failures, calls: ids.length, ...counts, gapMs })}\n`,
)
