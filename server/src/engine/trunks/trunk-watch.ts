// Stores this node's view of its trunks (reachable or not, and why) for `trunks list` and the console. Without a report for ten
// seconds a trunk is shown as not reported on, so reports are sent even if nothing has changed.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { type TrunkReport, writeTrunkStates } from '../../db/trunks/trunk-state.ts'
import type { Transport, Trunk, TrunkState } from '../../domain/trunks/trunk.ts'
import { evaluateTrunkHealth, reasonText } from '../../domain/trunks/trunk-health.ts'
import type { Clock } from '../../process/clock.ts'
import type { Config } from '../../process/config/config.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'
import type { AsteriskSwitch } from '../../telephony/asterisk/asterisk.ts'
import { probeCarrier } from '../../telephony/sip/probe-carrier.ts'
import type { TrunkCalls } from './trunk-calls.ts'

const pollMs = 2_000

type TrunkWatchDeps = {
  readonly node: string
  readonly config: Pick<Config, 'sipTransports' | 'sipCaFile' | 'sipPublicAddress' | 'edgeUrl'>
  readonly calls: Pick<TrunkCalls, 'recent' | 'lastHour' | 'active' | 'perSecond'>
  readonly routing: () => { readonly trunks: readonly Trunk[] }
  readonly slots: SlotMap
  readonly switch: AsteriskSwitch
  readonly clock: Clock
  readonly events: Pick<Events, 'trunkSeen'>
  readonly log: Logger
}

export function startTrunkWatch(deps: TrunkWatchDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  let warned = ''
  const watching = (async () => {
    while (!closing.signal.aborted) {
      const unused = unusedTransports(deps).join(', ')
      if (unused !== '' && unused !== warned) {
        deps.log.warn({ transports: unused, fix: unusedFix }, 'SIP transports unused')
      }
      warned = unused
      await storeTrunkStates(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'trunk state update failed'))
      await deps.clock.pause(pollMs, closing.signal)
    }
  })()
  return {
    close: async () => {
      closing.abort()
      await watching
    },
  }
}

const unusedFix = 'take them out of RINGPROOF_SIP_TRANSPORTS, run `ringproof asterisk prepare` and restart Asterisk'

// A transport without a trunk is an open port without a use. Asterisk sends to the edge over UDP.
function unusedTransports({ config, routing }: TrunkWatchDeps): readonly Transport[] {
  const served = routing().trunks.filter(({ isOn, address }) => isOn && address !== '')
  if (served.length === 0) return []
  const isUsed = (transport: Transport) =>
    served.some((trunk) => trunk.transport === transport) || (transport === 'udp' && config.edgeUrl !== undefined)
  return config.sipTransports.filter((transport) => !isUsed(transport))
}

async function storeTrunkStates(deps: TrunkWatchDeps): Promise<void> {
  const states = await deps.switch.trunkStates()
  const trunks = deps.routing().trunks.filter(({ name }) => states.has(name))
  const reports = await Promise.all(trunks.map((trunk) => reportOn(deps, trunk, states.get(trunk.name))))
  for (const { trunk, isUp } of reports) deps.events.trunkSeen(trunk, isUp)
  if (reports.length > 0) await writeTrunkStates(deps.slots.globalDatabase, reports)
}

async function reportOn(deps: TrunkWatchDeps, trunk: Trunk, state: TrunkState | undefined): Promise<TrunkReport> {
  const { node, config, calls, clock } = deps
  const { name } = trunk
  const signals = deps.switch.signalsOf(trunk)
  const fault = state?.fault
  // Asterisk has no connection, so a connection of ours takes nothing from it.
  const isApart = fault === 'silent' || fault === 'refused-object'
  const connection = isApart ? await probeCarrier(trunk, config.sipCaFile, clock) : undefined
  const recent = calls.recent(name)
  const view = evaluateTrunkHealth({ fault, connection, signals, calls: recent })
  return {
    trunk: name,
    node,
    isUp: view.state !== 'down',
    reason: (state?.isUp === false ? undefined : reasonText(view)) ?? state?.reason ?? '',
    ...view,
    facts: {
      rttMs: signals.rttMs ?? null,
      optionsStatus: signals.optionsStatus ?? null,
      registerStatus: signals.registerStatus ?? null,
      ourAddress: config.sipPublicAddress ?? signals.ourAddress ?? null,
      activeCalls: calls.active(name),
      callsPerSecond: calls.perSecond(name),
      calls: calls.lastHour(name),
    },
  }
}
