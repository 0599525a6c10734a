// The role `calls`: places the calls of the dispatch and listens for those that come in, over one switch.

import type { Bus } from '../engine/bus.ts'
import { openCallWorker } from '../engine/call-worker.ts'
import type { Dispatch } from '../engine/dispatch.ts'
import { openInboundListener } from '../engine/inbound-listener.ts'
import { openLiveNodes } from '../engine/live-nodes.ts'
import { openSwitch } from '../engine/open-switch.ts'
import { openReturnPathCounts } from '../engine/return-path-counts.ts'
import { openTestCaller } from '../engine/test-caller.ts'
import { openTrunkWatch } from '../engine/trunk-watch.ts'
import type { Vault } from '../engine/vault.ts'
import type { Closing, RoleRecord, ServerDeps } from './server-deps.ts'

type Wiring = { readonly bus: Bus; readonly dispatch: Dispatch; readonly vault: Vault }

export function openCalls(
  deps: ServerDeps,
  { slots, batches }: RoleRecord,
  { bus, dispatch, vault }: Wiring,
): readonly Closing[] {
  const { config, clock, log, keys, events, routing, fail } = deps
  const { timeScale, flashRingSeconds, node } = config
  const nodes = openLiveNodes(bus, clock)
  const phones = openSwitch({ config, clock, log, keys, trunks: () => routing().trunks, failed: fail })
  const worker = openCallWorker({
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
    log,
  })
  const returnPaths = openReturnPathCounts({ slots, clock, events, log })
  const listener = openInboundListener(
    { slots, batches, routing, keys, vault, clock, events, returnPaths, log },
    phones,
  )
  const testCaller = openTestCaller({ slots, batches, timeScale, clock, log })
  const watch = openTrunkWatch({ node, config, routing, slots, switch: phones, clock, log })
  // The listener has heard everything once the switch is closed.
  return [returnPaths, listener, phones, watch, { close: async () => nodes.close() }, worker, testCaller]
}
