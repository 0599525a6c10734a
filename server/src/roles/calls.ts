// The role `calls`: places the calls from the call queue and handles inbound calls, over one switch.

import type { Bus } from '../engine/core/bus.ts'
import type { NoteChange } from '../engine/core/live-hints.ts'
import { startLiveNodes } from '../engine/core/live-nodes.ts'
import type { Vault } from '../engine/core/vault.ts'
import { startPhones } from '../engine/phones/phones.ts'
import { withTestPhones } from '../engine/phones/test-phone.ts'
import { createSwitch } from '../engine/trunks/create-switch.ts'
import { createDialler } from '../engine/trunks/place-call.ts'
import { createReturnPathCounts } from '../engine/trunks/return-path-counts.ts'
import { createRouteCounts } from '../engine/trunks/route-counts.ts'
import { startTestCaller } from '../engine/trunks/test-caller.ts'
import { createTrunkCalls } from '../engine/trunks/trunk-calls.ts'
import { serveTrunkTests } from '../engine/trunks/trunk-tests.ts'
import { startTrunkWatch } from '../engine/trunks/trunk-watch.ts'
import { createUnmatchedCounts } from '../engine/trunks/unmatched-counts.ts'
import { startCallWorker } from '../engine/verifications/call-worker.ts'
import type { Dispatch } from '../engine/verifications/dispatch.ts'
import { createSipRecorder } from '../engine/verifications/sip-recorder.ts'
import { startInboundListener } from '../engine/webhooks/inbound-listener.ts'
import type { Closing, RoleDatabases, ServerDeps } from './server-deps.ts'

type CallsDeps = {
  readonly bus: Bus
  readonly dispatch: Dispatch
  readonly vault: Vault
  readonly noteChange: NoteChange
}

export function startCallsRole(
  deps: ServerDeps,
  { slots, batches }: RoleDatabases,
  { bus, dispatch, vault, noteChange }: CallsDeps,
): readonly Closing[] {
  const { config, clock, log, keys, events, traces, routing, fail } = deps
  const { timeScale, flashRingSeconds, node } = config
  const nodes = startLiveNodes(bus, clock)
  const phones = createSwitch({ config, clock, log, keys, trunks: () => routing().trunks, failed: fail })
  if (phones.edgeFigures !== undefined) events.watchEdge(phones.edgeFigures)
  const sipRecorder = createSipRecorder({ slots, choice: config.sipMessages, clock, log })
  const trunkCalls = createTrunkCalls(clock)
  const routeCounts = createRouteCounts({ slots, timeScale, clock, log })
  const dial = createDialler({ switch: phones, flashRingSeconds, timeScale, clock, log })
  const worker = startCallWorker({
    bus,
    dispatch,
    switch: phones,
    place: withTestPhones({ slots, flashRingSeconds, clock, noteChange, log }, dial),
    slots,
    batches,
    routing,
    keys,
    timeScale,
    liveNodes: nodes.count,
    clock,
    events: trunkCalls.counted(events),
    traces,
    noteChange,
    sipRecorder,
    routeCounts,
    log,
  })
  const returnPaths = createReturnPathCounts({ slots, clock, events, log })
  const unmatched = createUnmatchedCounts({ slots, clock, log })
  const listener = startInboundListener(
    { slots, batches, routing, keys, vault, clock, events, traces, noteChange, returnPaths, unmatched, log },
    phones,
  )
  const testCaller = startTestCaller({ slots, batches, timeScale, clock, noteChange, log })
  const watch = startTrunkWatch({ node, config, routing, slots, switch: phones, calls: trunkCalls, clock, events, log })
  const tests = serveTrunkTests({ bus, slots, switch: phones, routing, keys, flashRingSeconds, clock, log })
  // Closed in reverse order: the listener ends once the switch is closed.
  const handsets =
    config.phonesAriUrl === undefined ? [] : [startPhones({ config, slots, bus, clock, log }, config.phonesAriUrl)]
  const closingNodes = { close: async () => nodes.close() }
  return [
    sipRecorder,
    routeCounts,
    returnPaths,
    unmatched,
    listener,
    phones,
    watch,
    closingNodes,
    worker,
    testCaller,
    tests,
    ...handsets,
  ]
}
