// Runs inside the box of Docker: starts calls at a steady rate until its standard input ends, then waits for the result of
// each. Prints one line of JSON.
//
//   node upgrade-load.ts BASE KEY PER-SECOND

import { setTimeout as sleep } from 'node:timers/promises'

const [base = '', key = '', rate = ''] = process.argv.slice(2)
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const stopping = new AbortController()
process.stdin.on('end', () => stopping.abort()).resume()

const beganMs = performance.now()

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
    return { id: json.vendor_id, failure: json.status ? '' : `${when()}${response.status} ${text}` }
  } catch (error) {
    return { id: undefined, failure: `${when()}${String(error)} ${error instanceof Error ? String(error.cause) : ''}` }
  }
}

// 1: verified, 0: failed, -1: still pending after a minute.
async function resultOf(id: number): Promise<number> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const response = await fetch(`${base}/v1.0/getInfo?uid=${id}`, { headers })
    const { call_status: status } = (await response.json()) as { call_status: number }
    if (status !== -1) return status
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
const failures = requests.filter(({ failure }) => failure !== '').map(({ failure }) => failure)
const results: number[] = []
for (const { id } of requests) if (id !== undefined) results.push(await resultOf(id))
const lost = results.filter((result) => result !== 1).length
process.stdout.write(`${JSON.stringify({ requests: requests.length, failures, calls: results.length, lost })}\n`)
