// Simulates the call of the test number that succeeds: it "calls" two seconds after an inbound verification for it starts.
// It needs no trunk, no phone and no room in the vault, which free test calls could otherwise fill. After that it is handled
// like any inbound call. The database decides when it is due, so any node can make the call; if two do, one matches.

import type { Database } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import type { CallBatches } from '../../db/verifications/call-batches.ts'
import { readTestCalls } from '../../db/verifications/inbound-request.ts'
import { testVaultName } from '../../domain/verifications/inbound-request.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { NoteChange } from '../core/live-hints.ts'

type TestCallerDeps = {
  readonly slots: SlotMap
  readonly batches: Pick<CallBatches, 'matchInbound'>
  readonly timeScale: number
  readonly clock: Clock
  readonly noteChange: NoteChange
  readonly log: Logger
}

// In real time: polls the database no more often than this, whatever timeScale is.
const roundMs = 250

export function startTestCaller(deps: TestCallerDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const loops = deps.slots.databases.map(async (database) => {
    while (!closing.signal.aborted) {
      await callAll(deps, database).catch((error: unknown) => {
        if (!closing.signal.aborted) deps.log.warn({ err: error }, 'test caller failed')
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

async function callAll({ batches, noteChange }: TestCallerDeps, database: Database): Promise<void> {
  const due = await readTestCalls(database)
  await Promise.all(due.map(({ id }) => batches.matchInbound({ id, vaultName: testVaultName })))
  for (const { accountId } of due) noteChange(accountId, 'verifications', 'phones')
}
