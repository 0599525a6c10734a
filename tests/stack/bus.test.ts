// A hand-off that went away and came back without anything it held.

import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClock } from '../../server/src/clock.ts'
import type { PhoneNumber } from '../../server/src/domain/phone-number.ts'
import { openBus } from '../../server/src/engine/bus.ts'
import { openVault } from '../../server/src/engine/vault.ts'
import { openLog } from '../../server/src/log.ts'
import { stackSetting } from '../support/stack-settings.ts'

const clock = openClock(1)
const log = openLog({ write: () => undefined })

test('streams and vault that vanished are there again when the connection has returned', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const bus = await openBus([stackSetting('RINGPROOF_NATS_URL')], prefix, 1, clock, log)
  const ring = new Map([[1, createSecretKey(randomBytes(32))]])
  const vault = await openVault(bus, ring, randomBytes, 1)
  const names = [...bus.names.streams, `KV_${bus.names.vaultBucket}`]
  try {
    for (const name of names) await bus.manager.streams.delete(name)
    const seen: boolean[] = []
    await bus.connection.reconnect()
    const deadlineMs = performance.now() + 10_000
    // Down it goes, and up it comes with everything in place.
    while (!(seen.includes(false) && seen.at(-1)) && performance.now() < deadlineMs) {
      seen.push(bus.isUp())
      await sleep(1)
    }
    for (const name of names) assert.equal((await bus.manager.streams.info(name)).config.name, name)
    await bus.client.publish(bus.names.subjectOf('first'), 'an order')
    const number = '79070000180' as PhoneNumber
    assert.equal(await vault.open(await vault.put(number)), number)
  } finally {
    for (const name of names) await bus.manager.streams.delete(name).catch(() => undefined)
    await bus.close()
  }
})
