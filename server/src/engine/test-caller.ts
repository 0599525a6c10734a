// The test number that succeeds, which "calls" two seconds after somebody began to wait for it: it needs no trunk and no
// phone, but from the vault on its way is the one of every call. The record says when it is due, so that whichever node
// lives makes the call; if two of them do, one proves the wait.

import type { Clock } from '../clock.ts'
import type { CallBatches } from '../db/call-batches.ts'
import type { Database } from '../db/database.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { readTestCalls } from '../db/wait.ts'
import { callingTestNumber } from '../domain/wait.ts'
import type { Logger } from '../log.ts'
import type { Vault } from './vault.ts'

export type TestCallerDeps = {
  readonly slots: SlotMap
  readonly batches: Pick<CallBatches, 'prove'>
  readonly vault: Vault
  readonly timeScale: number
  readonly clock: Clock
  readonly log: Logger
}

// The record is asked no more often than this, whatever the scale.
const roundMs = 250

export function openTestCaller(deps: TestCallerDeps): { readonly close: () => Promise<void> } {
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

async function callAll({ vault, batches }: TestCallerDeps, database: Database): Promise<void> {
  for (const id of await readTestCalls(database)) {
    await batches.prove({ id, vaultName: await vault.put(callingTestNumber) })
  }
}
