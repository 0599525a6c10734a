// Creates the switch that RINGPROOF_SWITCH selects.

import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { KeyRing } from '../domain/crypto/sealing.ts'
import type { Trunk } from '../domain/trunks/trunk.ts'
import { noSignals } from '../domain/trunks/trunk-health.ts'
import { decryptTrunkPassword } from '../domain/trunks/trunk-password.ts'
import type { Logger } from '../log.ts'
import { type AsteriskSwitch, createAsterisk } from '../telephony/asterisk.ts'
import { createFakeSwitch } from '../telephony/fake-switch.ts'

export type SwitchDeps = {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly keys: { readonly sealRecords: KeyRing }
  readonly trunks: () => readonly Trunk[]
  readonly failed: (why: string) => void
}

// Asterisk may start after this process, or restart: meanwhile the switch is not ready.
export function createSwitch(deps: SwitchDeps): AsteriskSwitch {
  return deps.config.switch === 'asterisk'
    ? createAriSwitch(deps, deps.config.node, false)
    : createScriptedSwitch(deps.clock)
}

// Runs beside a serving process: it has a separate ARI app name and does not change the trunks configured in Asterisk.
export function createGuestSwitch(deps: SwitchDeps): AsteriskSwitch {
  return deps.config.switch === 'asterisk'
    ? createAriSwitch(deps, `${deps.config.node}-guest`, true)
    : createScriptedSwitch(deps.clock)
}

function createAriSwitch({ config, keys, ...deps }: SwitchDeps, node: string, isGuest: boolean): AsteriskSwitch {
  return createAsterisk({
    ...deps,
    url: config.ariUrl,
    user: config.ariUser,
    password: config.ariPassword,
    caFile: config.ariCaFile,
    node,
    isGuest,
    sipTransports: config.sipTransports,
    hepPort: isGuest ? undefined : config.hepPort,
    keepsMessages: config.sipMessages !== 'off',
    callsPerSecond: config.nodeCallsPerSecond,
    passwordOf: (trunk) => decryptTrunkPassword(keys.sealRecords, trunk),
  })
}

// A scripted network has no carriers, so no trunk states.
function createScriptedSwitch(clock: Clock): AsteriskSwitch {
  const none = { trunkStates: async () => new Map(), signalsOf: () => noSignals, opened: Promise.resolve() }
  return { ...createFakeSwitch(clock), ...none }
}
