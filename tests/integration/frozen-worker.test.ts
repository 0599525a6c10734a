// A worker that was frozen between claim and dial may resume after the call has already ended; one whose connection broke does not know
// whether its claim was committed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startVerification } from '../../server/src/actions/verifications/start-verification.ts'
import { type CallBatches } from '../../server/src/db/verifications/call-batches.ts'
import { readVerification } from '../../server/src/db/verifications/verification.ts'
import type { CallOrder } from '../../server/src/domain/verifications/call-order.ts'
import { noLiveHints } from '../../server/src/engine/core/live-hints.ts'
import { createDialler } from '../../server/src/engine/trunks/place-call.ts'
import { type ExecuteDeps, executeCall } from '../../server/src/engine/verifications/execute-call.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { createFakeSwitch } from '../../server/src/telephony/fake-switch.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService } from '../support/process/server.ts'
import { clientOf, createStartDeps, flashRequest } from '../support/process/start-deps.ts'

const installation = await installPhones(1)
const { slots } = installation
const clock = createClock(1)
const service = await makeService(installation, 10)
const { accountId } = service
const orders: CallOrder[] = []
const startDeps = await createStartDeps(installation, async (order) => void orders.push(order))
const { keys, batches } = startDeps

async function acceptedOrder(): Promise<CallOrder> {
  await startVerification(startDeps, await clientOf(installation, service), flashRequest(freshNumber('180')))
  return orders.pop() ?? assert.fail('nothing was dispatched')
}

const late =
  (lateMs: number, ageMs: number): CallBatches['claim'] =>
  async (claim) => {
    const claimed = await batches.claim(claim)
    await sleep(lateMs)
    return claimed && { ...claimed, ageMs }
  }

// Executes the order and counts what is dialled.
async function dialsOf(
  order: CallOrder,
  claim: CallBatches['claim'],
): Promise<{ dials: number; ended: readonly string[] }> {
  let dials = 0
  const ended: string[] = []
  const phones = createFakeSwitch(clock)
  const log = createLog({ write: () => undefined })
  const dial = createDialler({ switch: phones, flashRingSeconds: 1, timeScale: 1, clock, log })
  const deps: ExecuteDeps = {
    slots,
    keys,
    clock,
    timeScale: 1,
    events: { callEnded: ({ outcome }) => void ended.push(outcome), charged: () => undefined },
    noteChange: noLiveHints,
    sipRecorder: { note: () => undefined },
    routeCounts: { note: () => undefined },
    log,
    dispatch: {
      dispatchCall: async () => undefined,
      queueFaultOf: () => undefined,
      openOrdersOf: () => 0,
      isUp: () => true,
      close: async () => undefined,
    },
    place: (...call) => {
      dials += 1
      return dial(...call)
    },
    batches: { ...batches, claim },
  }
  await executeCall(deps, order)
  await phones.close()
  return { dials, ended }
}

test('a call whose start deadline passed after the claim is not dialled; its hold is released at once', async () => {
  const order = await acceptedOrder()
  assert.deepEqual(await dialsOf(order, late(2_100, 7_900)), { dials: 0, ended: ['failed'] })
  const { state, reason, attempt } = (await readVerification(slots.globalDatabase, order.id)) ?? {}
  assert.deepEqual([state, reason, attempt], ['failed', 'not-started', 1])
  const { rows } = await slots.globalDatabase.query('SELECT balance, held FROM accounts WHERE id = $1', [accountId])
  assert.deepEqual(rows, [{ balance: 10_000_000, held: 0 }])
})

for (const [when, lateMs, ageMs] of [
  ['at once', 0, 0],
  ['after two slow seconds, within the start deadline', 2_100, 0],
  ['at once, although it was made at the very end of the start deadline', 50, 9_990],
] as const) {
  test(`a call whose claim is confirmed ${when} is dialled`, async () => {
    const order = await acceptedOrder()
    assert.deepEqual(await dialsOf(order, late(lateMs, ageMs)), { dials: 1, ended: ['succeeded'] })
    assert.equal((await readVerification(slots.globalDatabase, order.id))?.state, 'succeeded')
  })
}

test('a call whose claim was committed without a response is dialled once, by the worker that asks again', async () => {
  const order = await acceptedOrder()
  let isFirst = true
  const breakAfterCommit: CallBatches['claim'] = async (claim) => {
    const claimed = await batches.claim(claim)
    if (isFirst) {
      isFirst = false
      throw new Error('Connection terminated')
    }
    return claimed
  }
  assert.deepEqual(await dialsOf(order, breakAfterCommit), { dials: 1, ended: ['succeeded'] })
  assert.deepEqual(await dialsOf(order, batches.claim), { dials: 0, ended: [] })
})
