// The database pools of one process with all roles, each with as many queries at once as it may have sessions. Reports every second how
// many were answered and how many failed.

import { setTimeout as sleep } from 'node:timers/promises'
import { connect, requestDeadlines } from '../../../server/src/db/core/database.ts'
import { databaseRoles } from '../../../server/src/domain/core/database-role.ts'

export type PoolsReport = { readonly answered: number; readonly failed: number; readonly sessions: number }

const url = process.argv[2] ?? ''
const pools = databaseRoles.map((role) => connect(url, requestDeadlines, role))
let [answered, failed] = [0, 0]

for (const pool of pools) {
  for (let nth = 0; nth < pool.options.max; nth++) query(pool).catch(() => undefined)
}
setInterval(() => {
  const sessions = pools.reduce((total, { totalCount }) => total + totalCount, 0)
  process.send?.({ answered, failed, sessions } satisfies PoolsReport)
  answered = 0
  failed = 0
}, 1_000)

// As a request does: what fails is asked again a little later.
async function query(pool: (typeof pools)[number]): Promise<never> {
  for (;;) {
    await pool.query('SELECT 1').then(
      () => answered++,
      () => failed++,
    )
    await sleep(200)
  }
}
