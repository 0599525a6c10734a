import type { SlotMap } from '../db/slot-map.ts'

// Whether every database answers.
export async function checkHealth(deps: { readonly slots: SlotMap }): Promise<boolean> {
  const asked = deps.slots.databases.map((database) => database.query('SELECT'))
  const answered = await Promise.allSettled(asked)
  return answered.every(({ status }) => status === 'fulfilled')
}
