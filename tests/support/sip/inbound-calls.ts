// Subscribers who call us, over the scripted network and in the test's own process: the inbound part of the role
// `calls`.

import { randomBytes } from 'node:crypto'
import { createRoutingTable } from '../../../server/src/db/trunks/routing-table.ts'
import { createCallBatches } from '../../../server/src/db/verifications/call-batches.ts'
import { connectBus } from '../../../server/src/engine/core/bus.ts'
import { noLiveHints } from '../../../server/src/engine/core/live-hints.ts'
import { createVault, type Vault } from '../../../server/src/engine/core/vault.ts'
import { createReturnPathCounts } from '../../../server/src/engine/trunks/return-path-counts.ts'
import { createUnmatchedCounts } from '../../../server/src/engine/trunks/unmatched-counts.ts'
import { startInboundListener } from '../../../server/src/engine/webhooks/inbound-listener.ts'
import { createClock } from '../../../server/src/process/clock.ts'
import { createLog } from '../../../server/src/process/log/log.ts'
import type { Events } from '../../../server/src/process/metrics/events.ts'
import { readSecrets } from '../../../server/src/process/secrets.ts'
import type { Traces } from '../../../server/src/process/traces/traces.ts'
import { createFakeSwitch, type FakeSwitch } from '../../../server/src/telephony/fake-switch.ts'
import { atEnd } from '../at-end.ts'
import type { Installation } from '../process/server.ts'

export type InboundCalls = {
  readonly phones: FakeSwitch
  readonly vault: Vault
  // The outcome of every call so far, in order.
  readonly outcomes: readonly string[]
  // The trunk of every call whose return path was checked, and whether it was confirmed.
  readonly checked: readonly string[]
  // Calls over the trunk that the number belongs to, written with a plus.
  readonly call: (from: string, to: string) => ReturnType<FakeSwitch['callIn']>
}

type InboundEvents = Pick<Events, 'inboundCalled' | 'charged' | 'returnPathChecked'>

export async function createInboundCalls(
  { slots, environment }: Installation,
  // Counts the calls, if a test wants metrics.
  counted?: InboundEvents,
  traces?: Traces,
): Promise<InboundCalls> {
  const timeScale = Number(environment['RINGPROOF_TIME_SCALE'])
  const clock = createClock(timeScale)
  const log = createLog({ write: () => undefined })
  const secrets = readSecrets(String(environment['RINGPROOF_SECRETS_DIR']))
  const bus = await connectBus(
    { natsUrls: [String(environment['RINGPROOF_NATS_URL'])] },
    String(environment['RINGPROOF_NATS_PREFIX']),
    timeScale,
    clock,
    log,
  )
  atEnd(() => bus.close())
  const table = await createRoutingTable(slots.globalDatabase, clock)
  atEnd(() => table.close())
  const vault = await createVault(bus, { sealNumbers: secrets['seal-numbers'] }, randomBytes, timeScale)
  const phones = createFakeSwitch(clock)
  const outcomes: string[] = []
  const events: Pick<Events, 'inboundCalled' | 'charged'> = {
    inboundCalled: (outcome) => {
      outcomes.push(outcome)
      counted?.inboundCalled(outcome)
    },
    charged: (mode, amount) => counted?.charged(mode, amount),
  }
  const keys = { phoneSubscriber: secrets['phone-subscriber'] }
  const batches = createCallBatches(slots, timeScale)
  const checked: string[] = []
  const returnPaths = createReturnPathCounts({
    slots,
    clock,
    log,
    events: {
      returnPathChecked: (trunk, isConfirmed) => {
        checked.push(`${trunk} ${isConfirmed}`)
        counted?.returnPathChecked(trunk, isConfirmed)
      },
    },
  })
  atEnd(() => returnPaths.close())
  const unmatched = createUnmatchedCounts({ slots, clock, log })
  atEnd(() => unmatched.close())
  const listenerDeps = { slots, batches, routing: table.current, keys, vault, clock, log, returnPaths, unmatched }
  const listener = startInboundListener({ ...listenerDeps, events, traces, noteChange: noLiveHints }, phones)
  atEnd(async () => {
    await phones.close()
    await listener.close()
  })
  const trunkOf = (number: string) =>
    table.current().confirmationNumbers.find((one) => String(one.number) === number)?.trunk ?? 'first'
  return {
    phones,
    vault,
    outcomes,
    checked,
    call: (from, to) => phones.callIn({ trunk: trunkOf(to), called: `+${to}`, from: `+${from}` }),
  }
}
