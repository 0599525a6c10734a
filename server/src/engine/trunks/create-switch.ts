// Creates the switch that RINGPROOF_SWITCH and RINGPROOF_EDGE_URL select.

import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { decryptTrunkPassword, type Trunk } from '../../domain/trunks/trunk.ts'
import { noSignals } from '../../domain/trunks/trunk-health.ts'
import type { Clock } from '../../process/clock.ts'
import type { Config } from '../../process/config/config.ts'
import type { Logger } from '../../process/log/log.ts'
import { type AsteriskDeps, createAsterisk } from '../../telephony/asterisk/asterisk.ts'
import { createCompositeSwitch, type NodeSwitch } from '../../telephony/composite-switch.ts'
import { parseEdgeUrl } from '../../telephony/edge/config.ts'
import { createEdge } from '../../telephony/edge/edge.ts'
import { edgeKeys } from '../../telephony/edge/key.ts'
import { createFakeSwitch } from '../../telephony/fake-switch.ts'
import { createSipCapture, noCapture } from '../../telephony/sip/capture.ts'

export type SwitchDeps = {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly keys: { readonly sealRecords: KeyRing }
  readonly trunks: () => readonly Trunk[]
  readonly failed: (why: string) => void
}

// Asterisk and the edge may start after this process, or restart: meanwhile the switch is not ready.
export function createSwitch(deps: SwitchDeps): NodeSwitch {
  return deps.config.switch === 'asterisk'
    ? createRealSwitch(deps, deps.config.node, false)
    : createScriptedSwitch(deps.clock)
}

// Runs beside a serving process: it has a separate ARI app name and does not change the trunks configured in Asterisk.
export function createGuestSwitch(deps: SwitchDeps): NodeSwitch {
  return deps.config.switch === 'asterisk'
    ? createRealSwitch(deps, `${deps.config.node}-guest`, true)
    : createScriptedSwitch(deps.clock)
}

function createRealSwitch(deps: SwitchDeps, node: string, isGuest: boolean): NodeSwitch {
  const { config, keys, ...others } = deps
  const capture = config.sipMessages === 'off' || isGuest ? noCapture : createSipCapture(deps)
  const passwordOf = (trunk: Trunk) => decryptTrunkPassword(keys.sealRecords, trunk)
  const shared = { ...others, capture, passwordOf }
  const asterisk: AsteriskDeps = {
    ...shared,
    url: config.ariUrl,
    user: config.ariUser,
    password: config.ariPassword,
    caFile: config.ariCaFile,
    node,
    isGuest,
    sipTransports: config.sipTransports,
    hepPort: isGuest ? undefined : config.hepPort,
    callsPerSecond: config.nodeCallsPerSecond,
  }
  if (config.edgeUrl === undefined) return createAsterisk(asterisk)
  const place = parseEdgeUrl(config.edgeUrl)
  return createCompositeSwitch(
    createAsterisk({ ...asterisk, edge: place }),
    createEdge({
      ...shared,
      ...place,
      keys: edgeKeys(config.ariPassword),
      isGuest,
      callsPerSecond: config.edgeCallsPerSecond,
    }),
    deps.trunks,
  )
}

// A scripted network has no carriers, so no trunk states.
function createScriptedSwitch(clock: Clock): NodeSwitch {
  const none = { trunkStates: async () => new Map(), signalsOf: () => noSignals, opened: Promise.resolve() }
  return { ...createFakeSwitch(clock), ...none }
}
