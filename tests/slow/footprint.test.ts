// What an idle server process costs: memory, and the time until it is ready.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../support/http/ask.ts'
import { install, makeService, type ServedProcess, serveProcess } from '../support/process/server.ts'

const memoryMaxMb = 150
const startMaxMs = 2_000

const installation = await install()
const service = await makeService(installation)

test(`the server is ready within ${startMaxMs} ms`, async (t) => {
  const times: number[] = []
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const startedMs = performance.now()
    const served = await serveProcess(installation)
    times.push(Math.round(performance.now() - startedMs))
    await stop(served)
  }
  t.diagnostic(`ready after ${times.join(', ')} ms`)
  // Other load makes a start slower, never faster, so the best of three is closest to what the server itself needs.
  assert.ok(Math.min(...times) <= startMaxMs, `ready after ${times.join(', ')} ms`)
})

test(`the server uses at most ${memoryMaxMb} MB`, async (t) => {
  const served = await serveProcess(installation)
  // A freshly started process still holds garbage of its start; the steady state shows a little later.
  await sleep(3_000)
  const idleMb = residentMb(served)
  for (let at = 0; at < 100; at += 1) {
    const { status } = await ask(`${served.base}/v1.0/getBalance`, { headers: service.bearer })
    assert.equal(status, 200)
  }
  await sleep(1_000)
  const usedMb = residentMb(served)
  t.diagnostic(`${idleMb} MB idle, ${usedMb} MB after a hundred requests`)
  assert.ok(Math.max(idleMb, usedMb) <= memoryMaxMb, `${idleMb} MB idle, ${usedMb} MB after a hundred requests`)
  // A broken measurement that reads 0 would always pass.
  assert.ok(idleMb > 20)
  await stop(served)
})

function residentMb({ running }: ServedProcess): number {
  const status = readFileSync(`/proc/${running.process.pid}/status`, 'utf8')
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

async function stop({ running }: ServedProcess): Promise<void> {
  running.process.kill('SIGTERM')
  const { status } = await running.ended
  assert.equal(status, 0)
}
