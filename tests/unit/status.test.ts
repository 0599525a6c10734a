import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { ShownStatus } from '../../server/src/actions/notices/announcements.ts'
import { evaluateStatus, type Severity } from '../../server/src/domain/installation/status.ts'
import type { HealthState } from '../../server/src/domain/trunks/trunk-health.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { addStatus } from '../../server/src/web/status.ts'

test('the status is the worst that is known; maintenance explains stopped calls, a small announcement does not', () => {
  for (const [expected, announced, trunks, areCallsStopped] of [
    ['ok', [], ['healthy'], false],
    ['ok', ['info'], ['down', 'healthy'], false],
    ['degraded', ['degraded'], ['healthy'], false],
    ['degraded', [], ['degraded', 'down'], false],
    ['outage', [], ['healthy'], true],
    ['outage', [], ['degraded'], true],
    ['outage', [], ['down', 'draining', 'disabled'], false],
    ['outage', [], [], false],
    ['outage', ['degraded'], ['down'], false],
    ['outage', ['outage'], ['healthy'], false],
    ['outage', ['maintenance', 'outage'], ['healthy'], false],
    ['maintenance', ['maintenance'], ['healthy'], false],
    ['maintenance', ['maintenance'], ['down'], true],
  ] as readonly (readonly [string, readonly Severity[], readonly HealthState[], boolean])[]) {
    const facts = { announced, trunks, areCallsStopped }
    assert.equal(evaluateStatus(facts), expected, JSON.stringify(facts))
  }
})

test('without the database the public status is an outage, and what was announced stays', async () => {
  const announcement = {
    id: 1,
    severity: 'info',
    en: 'hello',
    ru: 'привет',
    from: new Date(0),
    until: null,
    endedAt: null,
    stopsCalls: false,
    state: 'current',
  } as const
  let now = 1_000
  let reads = 0
  const responses: (ShownStatus | undefined)[] = [{ status: 'ok', announcements: [announcement] }, undefined]
  const showStatus = async () => {
    const response = responses[reads++]
    if (!response) throw new Error('no database')
    return response
  }
  const lines: string[] = []
  const log = createLog({ write: (line) => void lines.push(line) })
  const app = Fastify()
  addStatus(app, { showStatus, nowSeconds: () => now, log })
  const ask = async () => (await app.inject('/status.json')).json<{ status: string; announcements: unknown[] }>()
  assert.equal((await ask()).status, 'ok')
  now += 4.9
  assert.equal((await ask()).status, 'ok')
  assert.equal(reads, 1)
  now += 0.2
  const { status, announcements } = await ask()
  assert.deepEqual([status, announcements.length, reads], ['outage', 1, 2])
  await ask()
  assert.equal(reads, 2)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /status not read/)
  await app.close()
})
