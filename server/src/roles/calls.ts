// The role `calls`: places the calls from the call queue and handles inbound calls, over one switch.

import type { Bus } from '../engine/bus.ts'
import { startCallWorker } from '../engine/call-worker.ts'
import { createSwitch } from '../engine/create-switch.ts'
import type { Dispatch } from '../engine/dispatch.ts'
import { startInboundListener } from '../engine/inbound-listener.ts'
import type { NoteChange } from '../engine/live-hints.ts'
import { startLiveNodes } from '../engine/live-nodes.ts'
import { startPhones } from '../engine/phones.ts'
import { createReturnPathCounts } from '../engine/return-path-counts.ts'
import { createSipRecorder } from '../engine/sip-recorder.ts'
import { startTestCaller } from '../engine/test-caller.ts'
import { startTrunkWatch } from '../engine/trunk-watch.ts'
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
  const sipRecorder = createSipRecorder({ slots, choice: config.sipMessages, clock, log })
  const worker = startCallWorker({
    bus,
    dispatch,
    switch: phones,
    slots,
    batches,
    routing,
    keys,
    flashRingSeconds,
    timeScale,
    liveNodes: nodes.count,
    clock,
    events,
    traces,
    noteChange,
    sipRecorder,
    log,
  })
  const returnPaths = createReturnPathCounts({ slots, clock, events, log })
  const listener = startInboundListener(
    { slots, batches, routing, keys, vault, clock, events, traces, noteChange, returnPaths, log },
    phones,
  )
  const testCaller = startTestCaller({ slots, batches, timeScale, clock, noteChange, log })
  const watch = startTrunkWatch({ node, config, routing, slots, switch: phones, clock, events, log })
  // Closed in reverse order: the listener ends once the switch is closed.
  const handsets =
    config.phonesAriUrl === undefined ? [] : [startPhones({ config, slots, bus, clock, log }, config.phonesAriUrl)]
  const closingNodes = { close: async () => nodes.close() }
  return [sipRecorder, returnPaths, listener, phones, watch, closingNodes, worker, testCaller, ...handsets]
}
