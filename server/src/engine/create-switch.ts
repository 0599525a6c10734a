// The switch that the settings name.

import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { KeyRing } from '../domain/crypto/sealing.ts'
import type { Trunk } from '../domain/trunks/routing.ts'
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

// Asterisk may come later than we do, or go and come again: meanwhile the switch is not ready.
export function createSwitch(deps: SwitchDeps): AsteriskSwitch {
  return deps.config.switch === 'asterisk' ? createOverAri(deps, deps.config.node, false) : createScripted(deps.clock)
}

// Beside a process that serves: with a name of its own, and without touching the trunks that are told to Asterisk already.
export function createGuestSwitch(deps: SwitchDeps): AsteriskSwitch {
  return deps.config.switch === 'asterisk'
    ? createOverAri(deps, `${deps.config.node}-guest`, true)
    : createScripted(deps.clock)
}

function createOverAri({ config, keys, ...deps }: SwitchDeps, node: string, isGuest: boolean): AsteriskSwitch {
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
    callsPerSecond: config.nodeCallsPerSecond,
    passwordOf: (trunk) => decryptTrunkPassword(keys.sealRecords, trunk),
  })
}

// A scripted network has no carriers to look at.
function createScripted(clock: Clock): AsteriskSwitch {
  return { ...createFakeSwitch(clock), trunkStates: async () => new Map(), opened: Promise.resolve() }
}
