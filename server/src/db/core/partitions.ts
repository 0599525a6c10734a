import type { Session } from './database.ts'

// Partitions must exist even if no keeper runs for days.
export const daysAhead = 7

// Creates missing partitions.
export async function makePartitions(session: Session): Promise<void> {
  await session.query('SELECT make_partitions($1)', [daysAhead])
}
