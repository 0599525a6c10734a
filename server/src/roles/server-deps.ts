// What the roles of one process share: configuration, clock, keys and in-memory tables.

import type { SlotMap } from '../db/core/slot-map.ts'
import type { RoutingTable } from '../db/trunks/routing-table.ts'
import type { CallBatches } from '../db/verifications/call-batches.ts'
import type { NumberingIndex } from '../domain/numbers/numbering-index.ts'
import type { Clock } from '../process/clock.ts'
import type { Config } from '../process/config/config.ts'
import type { Logger } from '../process/log/log.ts'
import type { Events } from '../process/metrics/events.ts'
import type { NamedKeys } from '../process/secrets.ts'
import type { Traces } from '../process/traces/traces.ts'

export type ServerDeps = {
  readonly config: Config
  // As `ringproof config print` shows them.
  readonly settings: () => ReadonlyMap<string, string>
  readonly clock: Clock
  readonly log: Logger
  readonly keys: NamedKeys
  readonly numbers: () => NumberingIndex
  // When the numbering data was imported; undefined if there is none.
  readonly registryAtMs: () => number | undefined
  readonly routing: () => RoutingTable
  readonly events: Events
  readonly traces: Traces | undefined
  readonly stopping: AbortSignal
  // Stops the process after a fault that it cannot recover from.
  readonly fail: (why: string) => void
}

// The database connections of a role, with the rights of that role.
export type RoleDatabases = { readonly slots: SlotMap; readonly batches: CallBatches }

// Something a role has started. The last one started is closed first.
export type Closing = { readonly close: () => Promise<void> }
