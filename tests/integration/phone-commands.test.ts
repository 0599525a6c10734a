// Commands to real handsets over NATS: one process replies, and without one the page learns it at once.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import type { PhoneCommand } from '../../server/src/domain/phones/virtual-phone.ts'
import { connectBus } from '../../server/src/engine/core/bus.ts'
import { createCommandPhone, servePhoneCommands } from '../../server/src/engine/phones/phone-commands.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { atEnd } from '../support/at-end.ts'
import { stackSetting } from '../support/stack-settings.ts'

const log = createLog({ write: () => undefined })
const prefix = `test-${randomBytes(6).toString('hex')}`
const bus = await connectBus({ natsUrls: [stackSetting('RINGPROOF_NATS_URL')] }, prefix, 1, createClock(1), log)
atEnd(async () => {
  for (const name of bus.names.streams) await bus.manager.streams.delete(name)
  await bus.close()
})
const commandPhone = createCommandPhone(bus)
const command: PhoneCommand = { do: 'act', number: '79000001000' as PhoneNumber, action: 'decline' }

test('without a process that drives handsets there is no reply, at once', async () => {
  const startedMs = performance.now()
  assert.equal(await commandPhone(command), undefined)
  assert(performance.now() - startedMs < 5_000)
})

test('of two processes that drive handsets exactly one executes a command and replies', async () => {
  const executed: PhoneCommand[] = []
  const drivers = [200, 404].map((status) =>
    servePhoneCommands(
      bus,
      async (received) => {
        executed.push(received)
        return { status }
      },
      log,
    ),
  )
  await bus.connection.flush()
  for (let n = 1; n <= 5; n++) {
    const reply = await commandPhone(command)
    assert(reply?.status === 200 || reply?.status === 404)
    assert.deepEqual(
      executed,
      Array.from({ length: n }, () => command),
    )
  }
  for (const { close } of drivers) await close()
  await bus.connection.flush()
  assert.equal(await commandPhone(command), undefined)
})
