// New lists of ported numbers under load: no request fails, and the process never needs twice its memory.
//
// PORTED=60000000 node scripts/test.ts tests/slow/numbering-reload.test.ts full size; takes ten minutes

import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import { ask } from '../support/http/ask.ts'
import { generatePorted } from '../support/numbering/generate-ported.ts'
import { madeRow, putFile, registryBytes } from '../support/numbering/registry-files.ts'
import { poll } from '../support/poll.ts'
import { ringproof } from '../support/process/cli.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const ported = process.env['PORTED'] ?? '10000000'
const swaps = 4

const directory = fileDirectory()
const phones = await installPhones(1)
const environment = { ...phones.environment, RINGPROOF_NUMBERING_DIR: `${directory}/numbering` }

const registry = async (...args: string[]) => {
  const { status, out, err } = await ringproof(environment, 'registry', ...args)
  assert.equal(status, 0, out + err)
}

// As many area codes as the real registry has.
const codes = Array.from({ length: 83 }, (_, at) => madeRow(900 + at, 0, 9_999_999))
await registry('import', putFile(directory, 'codes.csv', registryBytes(codes)))
for (const seed of ['1', '2']) {
  const file = `${directory}/ported-${seed}.csv`
  await generatePorted(environment.RINGPROOF_NUMBERING_DIR, Number(ported), Number(seed), file)
  await registry('import-mnp', file)
  rmSync(file)
}

test(`${ported} ported numbers are reloaded under load: no request fails, memory stays below twice`, async (t) => {
  const { base, running } = await serveProcess({ ...phones, environment })
  const service = await makeService(phones, 10_000)
  const memoryKb = (name: 'VmRSS' | 'VmHWM') => {
    const status = readFileSync(`/proc/${running.process.pid}/status`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
  }
  const over = new AbortController()
  const warm = Promise.withResolvers<void>()
  let answered = 0
  let longestMs = 0
  const callers = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) {
      const phone = `79${String(10_000_000 + ((answered * 7919) % 800_000_000)).padStart(9, '0')}`
      const startedMs = performance.now()
      const { status, text } = await ask(`${base}/v1.0/checkPhone?phone=${phone}`, { headers: service.bearer })
      longestMs = Math.max(longestMs, performance.now() - startedMs)
      assert.equal(status, 200, text)
      if (++answered === 500) warm.resolve()
    }
  })
  const changes = (async () => {
    await Promise.race([...callers, warm.promise])
    const restingKb = memoryKb('VmRSS')
    for (let n = 0; n < swaps; n++) {
      const loads = () => running.output().split('"msg":"numbering data loaded"').length
      const before = loads()
      await registry('rollback')
      await poll('the new list to be in force', loads, (count) => count > before, { intervalMs: 1 })
    }
    return restingKb
  })()
  const restingKb = await changes.finally(() => over.abort())
  await Promise.all(callers)
  const peakKb = memoryKb('VmHWM')
  t.diagnostic(
    JSON.stringify({ ported: Number(ported), answered, resting_mb: restingKb >> 10, peak_mb: peakKb >> 10, longestMs }),
  )
  assert(peakKb <= 2 * restingKb, `${peakKb} kB at the peak, ${restingKb} kB at rest`)
})
