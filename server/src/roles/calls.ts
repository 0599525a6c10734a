// The role `calls`: places the calls from the call queue and handles inbound calls, over one switch.

import type { Bus } from '../engine/bus.ts'
import { startCallWorker } from '../engine/call-worker.ts'
import { createSwitch } from '../engine/create-switch.ts'
import type { Dispatch } from '../engine/dispatch.ts'
import { startInboundListener } from '../engine/inbound-listener.ts'
import type { NoteChange } from '../engine/live-hints.ts'
import { startLiveNodes } from '../engine/live-nodes.ts'
import { startPhones } from '../engine/phones.ts'
import { createDialler } from '../engine/place-call.ts'
import { createReturnPathCounts } from '../engine/return-path-counts.ts'
import { createRouteCounts } from '../engine/route-counts.ts'
import { createSipRecorder } from '../engine/sip-recorder.ts'
import { startTestCaller } from '../engine/test-caller.ts'
import { withTestPhones } from '../engine/test-phone.ts'
import { createTrunkCalls } from '../engine/trunk-calls.ts'
import { serveTrunkTests } from '../engine/trunk-tests.ts'
import { startTrunkWatch } from '../engine/trunk-watch.ts'
import { createUnmatchedCounts } from '../engine/unmatched-counts.ts'
import type { Vault } from '../engine/vault.ts'
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
