import type { Session } from './database.ts'

// A quiet installation may see nobody for days, and must still find its partitions made.
const daysAhead = 7

// Makes the partitions that are due; none when they are there.
export async function makePartitions(session: Session): Promise<void> {
  await session.query('SELECT make_partitions($1)', [daysAhead])
}

// The names of the partitions that were dropped, their money summed up by day before.
export async function dropOldPartitions(
  session: Session,
  verificationDays: number,
  ledgerDays: number,
): Promise<readonly string[]> {
  const { rows } = await session.query<{ name: string }>('SELECT drop_old_partitions($1, $2) AS name', [
    verificationDays,
    ledgerDays,
  ])
  return rows.map(({ name }) => name)
}
