// The past of the demo's world in a database of a test.

import { randomBytes as systemRandomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { History } from '../../../scripts/world/events.ts'
import { makeHistory, nothingCarried } from '../../../scripts/world/history.ts'
import { backdate, installRegistries, installWorld } from '../../../scripts/world/install.ts'
import type { InstalledCustomers } from '../../../scripts/world/installed.ts'
import { writePast } from '../../../scripts/world/past/write-past.ts'
import { drawsOf } from '../../../scripts/world/random.ts'
import { createSlotMap, type SlotMap } from '../../../server/src/db/core/slot-map.ts'
import { slotsAll } from '../../../server/src/domain/core/slot.ts'
import { loadNumbering } from '../../../server/src/numbering/load-numbering.ts'
import { makeMissingSecrets, readSecrets, type Secrets } from '../../../server/src/process/secrets.ts'
import { atEnd } from '../at-end.ts'
import { testDatabase } from '../database/test-database.ts'
import { fileDirectory } from '../temporary-directory.ts'

export type PastWorld = {
  readonly client: Client
  readonly slots: SlotMap
  readonly customers: InstalledCustomers
  readonly secrets: Secrets
  readonly numberingDir: string
  readonly write: (history: History, stretch: { readonly fromMs: number; readonly untilMs: number }) => Promise<void>
}

const seed = 1

type Place = {
  readonly ownerUrl: string
  readonly secretsDir: string
}

// Six customers without a past. Two worlds have the same account IDs.
export async function emptyWorld(beginMs: number, place?: Place): Promise<PastWorld> {
  const { ownerUrl } = place ?? (await testDatabase())
  const numberingDir = join(fileDirectory(), 'numbering')
  mkdirSync(numberingDir, { recursive: true })
  await installRegistries(numberingDir)
  const secretsDir = place?.secretsDir ?? join(fileDirectory(), 'world-secrets')
  makeMissingSecrets(secretsDir, systemRandomBytes)
  const secrets = readSecrets(secretsDir)
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, ownerUrl])))
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  atEnd(async () => {
    await client.end()
    await slots.close()
  })
  const randomBytes = withSameSlots()
  const customers = await installWorld({ slots, recordKeys: secrets['seal-records'], randomBytes }, beginMs)
  await backdate(client, customers, beginMs)
  const index = (await loadNumbering(numberingDir)).current()
  const keys = {
    records: secrets['seal-records'],
    tenant: secrets['phone-tenant'],
    subscriber: secrets['phone-subscriber'],
    slot: secrets['phone-slot'],
  }
  const deps = { client, customers, keys, index, randomBytes, draw: drawsOf(seed) }
  return {
    client,
    slots,
    customers,
    secrets,
    numberingDir,
    write: (history, stretch) => writePast(deps, history, { ...stretch, nowMs: Date.now() }),
  }
}

export function historyOf(beginMs: number, fromMs: number, untilMs: number, carried = nothingCarried): History {
  return makeHistory({ seed, beginMs, fromMs, untilMs, carried })
}

// One byte chooses the slot of an account.
function withSameSlots(): (bytes: number) => Uint8Array {
  let slots = 0
  return (bytes) => (bytes === 1 ? Uint8Array.of((slots += 7)) : systemRandomBytes(bytes))
}
