import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HostDelivery, receiverHosts } from '../../server/src/domain/webhooks/receiver-hosts.ts'

const good: HostDelivery = {
  host: 'good.example',
  accountId: 7,
  state: 'delivered',
  canBeResent: false,
  endedMs: 1_000,
  status: 204,
  failure: null,
  durationMs: 40,
}
const bad: HostDelivery = {
  ...good,
  host: 'bad.example',
  state: 'due',
  status: 503,
  canBeResent: true,
  durationMs: 900,
}

test('a host fails since the first attempt after its last delivery, and stands first', () => {
  const [first, second] = receiverHosts([
    good,
    { ...good, accountId: 3 },
    { ...bad, endedMs: 5_000 },
    { ...bad, endedMs: 4_000, state: 'dead' },
    { ...bad, endedMs: 3_000, state: 'delivered', status: 200 },
    // Before its last delivery: over.
    { ...bad, endedMs: 2_000, state: 'dead', canBeResent: false },
  ])
  assert.deepEqual(first, {
    host: 'bad.example',
    accountIds: [7],
    webhooks: 4,
    delivered: 1,
    waiting: 1,
    recoverable: 1,
    medianMs: 900,
    failingSince: 4_000,
    lastStatus: 503,
    lastFailure: null,
  })
  assert.deepEqual([second?.accountIds, second?.failingSince, second?.webhooks], [[3, 7], null, 2])
})

test('a host whose first attempt runs neither fails nor responds', () => {
  const [host] = receiverHosts([{ ...bad, endedMs: null, status: null, durationMs: null }])
  assert.deepEqual([host?.failingSince, host?.medianMs, host?.lastStatus, host?.waiting], [null, null, null, 1])
})
