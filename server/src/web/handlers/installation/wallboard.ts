// One read serves all screens on all walls.

import { showWallboard } from '../../../actions/installation/show-wallboard.ts'
import { createKeptRead } from '../../kept-read.ts'
import type { WebDeps } from '../core/deps.ts'
import type { Handlers } from '../core/handlers.ts'

const keptSeconds = 2

export function wallboardHandlers(deps: WebDeps) {
  const { read } = createKeptRead(keptSeconds, deps.nowSeconds, () => showWallboard(deps))
  return { wallboard: read } satisfies Partial<Handlers>
}
