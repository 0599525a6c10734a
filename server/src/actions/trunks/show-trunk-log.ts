// Who changed a trunk, and what.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readOperatorActions } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'

const entriesMax = 20

export async function showTrunkLog(
  { slots }: { readonly slots: SlotMap },
  name: string,
): Promise<WebOutput<'trunk-log'>> {
  const actions = await readOperatorActions(slots.globalDatabase, { name, countMax: entriesMax })
  return {
    entries: actions.map(({ id, createdAt, who, action, details }) => ({
      id,
      at: createdAt.getTime(),
      who,
      action,
      changes: changesIn(details),
    })),
  }
}

// `channels: 30 → 60`.
function changesIn({ before, after }: Readonly<Record<string, unknown>>): string[] {
  if (!isRecord(before) || !isRecord(after)) return []
  return Object.keys(after).map((name) => `${name}: ${textOf(before[name])} → ${textOf(after[name])}`)
}

function textOf(value: unknown): string {
  return value === null || value === undefined || value === '' ? '–' : JSON.stringify(value).replaceAll('"', '')
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
