// One read serves all screens on all walls.

import { showWallboard } from '../../../actions/installation/show-wallboard.ts'
import type { Finding } from '../../../domain/installation/finding.ts'
import { minuteMs } from '../../../domain/values/time.ts'
import { createKeptRead } from '../../kept-read.ts'
import type { WebDeps } from '../core/deps.ts'
import type { Handlers } from '../core/handlers.ts'

const keptSeconds = 2
// An examination signs in to the mail server, and may take ten seconds.
const examinedMs = minuteMs
const waitMsMax = 1_000

export function wallboardHandlers(deps: WebDeps) {
  let newest: readonly Finding[] | undefined
  const examine = async () => {
    const examination = deps.examine(examinedMs).catch(() => undefined)
    const ended = await Promise.race([examination, deps.pause(waitMsMax)])
    newest = ended?.findings ?? newest
    return newest
  }
  const { read } = createKeptRead(keptSeconds, deps.nowSeconds, async () => {
    const findings = await examine()
    return await showWallboard(deps, findings)
  })
  return { wallboard: read } satisfies Partial<Handlers>
}
