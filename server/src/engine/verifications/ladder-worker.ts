// Moves ladders on by themselves: ends those whose time is over, and places the next call of those whose last one has failed. A
// ladder is leased while that is done, so processes do not collide and another one goes on after a death.
//
// Most installations have no ladders for hours, so an empty database is asked seldom. A process asks often for as long as a ladder
// can last after it has seen one.

import { callDue } from '../../actions/verifications/next-rung.ts'
import type { LadderDeps } from '../../actions/verifications/place-rung.ts'
import { readApiClients } from '../../db/accounts/api-client.ts'
import type { Database } from '../../db/core/database.ts'
import { type DueLadder, takeDueLadders } from '../../db/verifications/ladder.ts'
import { type ApiClient, spendingObstacle } from '../../domain/accounts/api-client.ts'
import { type Ladder, ladderTimeMaxMs } from '../../domain/verifications/ladder.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { NoteChange } from '../core/live-hints.ts'

type WorkerDeps = {
  readonly ladders: LadderDeps
  readonly clock: Clock
  readonly log: Logger
  readonly noteChange: NoteChange
}

export type LadderWorker = {
  // This process has started a ladder.
  readonly noteStarted: () => void
  readonly close: () => Promise<void>
}

const roundMs = 250
const idleMs = 5_000
const leaseSeconds = 5
const takenMax = 100

export function startLadderWorker(deps: WorkerDeps): LadderWorker {
  const closing = new AbortController()
  const seen = { atMs: Number.NEGATIVE_INFINITY }
  const loops = deps.ladders.slots.databases.map((database) => serve(deps, database, seen, closing.signal))
  return {
    noteStarted: () => {
      seen.atMs = deps.clock.monotonicMs()
    },
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}

async function serve(
  deps: WorkerDeps,
  database: Database,
  seen: { atMs: number },
  closing: AbortSignal,
): Promise<void> {
  const { clock, log, ladders } = deps
  const calls = new Set<Promise<void>>()
  let askedMs = Number.NEGATIVE_INFINITY
  while (!closing.aborted) {
    const nowMs = clock.monotonicMs()
    const isLively = nowMs - seen.atMs < ladderTimeMaxMs * ladders.timeScale
    if (isLively || nowMs - askedMs >= clock.scaledMs(idleMs)) {
      askedMs = nowMs
      const due = await takeDueLadders(database, takenMax, leaseSeconds * ladders.timeScale).catch((error: unknown) => {
        log.warn({ err: error }, 'ladders not read')
        return []
      })
      if (due.length > 0) seen.atMs = nowMs
      for (const ladder of due.filter(({ outcome }) => outcome === 'next')) {
        const call = callOne(deps, database, ladder).finally(() => calls.delete(call))
        calls.add(call)
      }
    }
    await clock.pause(roundMs, closing)
  }
  await Promise.all(calls)
}

async function callOne(
  { ladders, log, noteChange }: WorkerDeps,
  database: Database,
  { id, calls }: DueLadder,
): Promise<void> {
  try {
    const accountId = await callDue(ladders, id, calls, (ladder) => findClient(database, ladder))
    if (accountId !== undefined) noteChange(accountId, 'verifications', 'phones')
  } catch (error) {
    // The lease ends, and another round tries again.
    log.error({ err: error, vendor_id: id }, 'ladder call failed')
  }
}

async function findClient(database: Database, { serviceId }: Ladder): Promise<ApiClient | undefined> {
  const [known] = await readApiClients(database, [serviceId])
  return known?.apiClient && spendingObstacle(known.apiClient) === undefined ? known.apiClient : undefined
}
