import type { Session } from './database.ts'

// A quiet installation may see nobody for days, and must still find its partitions made.
export const daysAhead = 7

// Makes the partitions that are due; none when they are there.
export async function makePartitions(session: Session): Promise<void> {
  await session.query('SELECT make_partitions($1)', [daysAhead])
}
