// Switch-overs between trunks. Each change is the action that the operator's command line calls.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import {
  pinSwitchOver,
  setSwitchOver,
  showSwitchOvers,
  takeBackSwitchOver,
} from '../../../actions/trunks/switch-overs.ts'
import type { StoredSwitchOver } from '../../../db/trunks/switch-over.ts'
import type { WebDeps } from '../core/deps.ts'
import { actorOf, type Handlers } from '../core/handlers.ts'

export function switchOverHandlers(deps: WebDeps) {
  return {
    'switch-overs': async () => {
      const { isOn, switchOvers } = await showSwitchOvers(deps)
      return { isOn, switchOvers: switchOvers.map(shownSwitchOver) }
    },
    'set-switch-over': async (visit, { isOn }) => {
      await setSwitchOver(deps, actorOf(visit), { isOn })
    },
    'take-back-switch-over': async (visit, { id }) => {
      await takeBackSwitchOver(deps, actorOf(visit), { id })
    },
    'pin-switch-over': async (visit, { id, isPinned }) => {
      await pinSwitchOver(deps, actorOf(visit), { id, isPinned })
    },
  } satisfies Partial<Handlers>
}

export function shownSwitchOver({
  sinceMs,
  movedMs,
  endedMs,
  recoveredSinceMs,
  reason,
  ...rest
}: StoredSwitchOver): WebOutput<'switch-overs'>['switchOvers'][number] {
  return {
    ...rest,
    since: sinceMs,
    movedAt: movedMs,
    recoveredSince: recoveredSinceMs,
    endedAt: endedMs,
    end: reason,
  }
}
