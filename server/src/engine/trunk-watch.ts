// Stores this node's view of its trunks (reachable or not, and why) for `trunks list`.

import type { Clock } from '../clock.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { writeTrunkStates } from '../db/trunk-state.ts'
import type { Transport, Trunk } from '../domain/trunks/trunk.ts'
import type { Events } from '../events.ts'
import type { Logger } from '../log.ts'
import type { AsteriskSwitch } from '../telephony/asterisk.ts'

const pollMs = 5_000

export type TrunkWatchDeps = {
  readonly node: string
  readonly config: { readonly sipTransports: readonly Transport[] }
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
      await deps.clock.sleep(pollMs, closing.signal)
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

// A transport without a trunk is an open port without a use.
function unusedTransports({ config, routing }: TrunkWatchDeps): readonly Transport[] {
  const served = routing().trunks.filter(({ isOn, address }) => isOn && address !== '')
  if (served.length === 0) return []
  return config.sipTransports.filter((transport) => !served.some((trunk) => trunk.transport === transport))
}

async function storeTrunkStates({ node, slots, switch: phones, events }: TrunkWatchDeps): Promise<void> {
  const states = await phones.trunkStates()
  for (const [trunk, { isUp }] of states) events.trunkSeen(trunk, isUp)
  if (states.size === 0) return
  await writeTrunkStates(
    slots.globalDatabase,
    [...states].map(([trunk, { isUp, reason }]) => ({ trunk, node, isUp, reason })),
  )
}
