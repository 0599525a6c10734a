// One process of many does a thing: it holds a lock for as long as its connection lives.

import type { Database } from './database.ts'

type Lead = { readonly lost: Promise<void>; readonly release: () => Promise<void> }

// The first number is ours, the second says what is led.
const family = 1_380_533_060
const leads = { telegram: 1 } as const

export async function tryLead(database: Database, what: keyof typeof leads): Promise<Lead | undefined> {
  const client = await database.connect()
  try {
    const { rows } = await client.query<{ isOurs: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS "isOurs"', [
      family,
      leads[what],
    ])
    if (rows[0]?.isOurs !== true) {
      client.release()
      return undefined
    }
  } catch (error) {
    client.release(error as Error)
    throw error
  }
  const lost = Promise.withResolvers<void>()
  client.on('error', () => lost.resolve())
  client.on('end', () => lost.resolve())
  // Closing the connection gives up the lock.
  return { lost: lost.promise, release: async () => client.release(true) }
}
