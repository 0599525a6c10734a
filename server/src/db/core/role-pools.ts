// One slot map, and so separate pools, for each role of a process. A role's connections carry its database rights, even if
// all roles share a process, and a role that uses up its connections does not starve the others.

import type { DatabaseRole } from '../../domain/core/database-role.ts'
import type { Slot } from '../../domain/core/slot.ts'
import type { ConnectionCounts } from '../../process/metrics/gauges.ts'
import { requestDeadlines } from './database.ts'
import { createSlotMap, type SlotMap } from './slot-map.ts'

export type RolePools = {
  readonly of: (role: DatabaseRole) => SlotMap
  readonly all: readonly SlotMap[]
  readonly connections: () => readonly Connections[]
  readonly close: () => Promise<void>
}

// How many connections of a role are in use or idle, and how many requests wait for one.
type Connections = {
  readonly role: DatabaseRole
  readonly state: ConnectionCounts['state']
  readonly count: number
}

export function createRolePools(urls: ReadonlyMap<Slot, string>, roles: readonly DatabaseRole[]): RolePools {
  const maps = new Map(roles.map((role) => [role, createSlotMap(urls, requestDeadlines, role)]))
  return {
    of: (role) => {
      const slots = maps.get(role)
      if (!slots) throw new RangeError(`this process does not run the role ${role}`)
      return slots
    },
    all: [...maps.values()],
    connections: () =>
      [...maps].flatMap(([role, { databases }]) =>
        databases.flatMap(({ totalCount, idleCount, waitingCount }) => [
          { role, state: 'busy' as const, count: totalCount - idleCount },
          { role, state: 'idle' as const, count: idleCount },
          { role, state: 'waiting' as const, count: waitingCount },
        ]),
      ),
    close: async () => {
      await Promise.all([...maps.values()].map((slots) => slots.close()))
    },
  }
}
