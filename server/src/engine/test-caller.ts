// The test number that succeeds, which "calls" two seconds after somebody began to wait for it: it needs no trunk and no
// phone, and no room in the vault, which free calls could fill for everybody; from there on its way is the one of every call.
// The database says when it is due, so that any node can make the call; if two of them do, one proves the wait.

import type { Clock } from '../clock.ts'
import type { CallBatches } from '../db/call-batches.ts'
import type { Database } from '../db/database.ts'
import { readTestCalls } from '../db/inbound-request.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { testVaultName } from '../domain/calls/inbound-request.ts'
import type { Logger } from '../log.ts'

export type TestCallerDeps = {
  readonly slots: SlotMap
  readonly batches: Pick<CallBatches, 'matchInbound'>
  readonly timeScale: number
  readonly clock: Clock
  readonly log: Logger
}

// The database is asked no more often than this, whatever the scale.
const roundMs = 250

export function startTestCaller(deps: TestCallerDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const loops = deps.slots.databases.map(async (database) => {
    while (!closing.signal.aborted) {
      await callAll(deps, database).catch((error: unknown) => {
        if (!closing.signal.aborted) deps.log.warn({ err: error }, 'test numbers cannot call')
      })
      await deps.clock.sleep(roundMs / deps.timeScale, closing.signal)
    }
  })
  return {
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}

async function callAll({ batches }: TestCallerDeps, database: Database): Promise<void> {
  const due = await readTestCalls(database)
  await Promise.all(due.map((id) => batches.matchInbound({ id, vaultName: testVaultName })))
}
