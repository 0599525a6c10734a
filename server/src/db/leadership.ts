// One leader for a job in a database: whoever's session holds the lock. It is lost with the session.

import type { Database } from './database.ts'

const jobs = { keeper: 4 } as const

// Does the work while leading; returns at once when somebody else leads.
export async function tryLead(
  database: Database,
  job: keyof typeof jobs,
  work: (isLeading: () => boolean) => Promise<void>,
): Promise<void> {
  const client = await database.connect()
  let isLost = false
  const lose = () => {
    isLost = true
  }
  client.on('error', lose)
  client.on('end', lose)
  try {
    const { rows } = await client.query<{ leads: boolean }>('SELECT pg_try_advisory_lock(1380533059, $1) AS leads', [
      jobs[job],
    ])
    if (rows[0]?.leads) await work(() => !isLost)
  } finally {
    // The session goes, and the lock with it.
    client.release(true)
  }
}
