// npm run seed:large -- 3000000   so many verifications of the last month, in a database of the private stack

import { postgres } from '../stack/parts/postgres.ts'
import { readState } from '../stack/state.ts'
import { openLargeDatabase } from './large.ts'

const count = Number(process.argv[2])
if (!Number.isInteger(count) || count < 30 || count > 100_000_000) {
  throw new Error('Say how many verifications: npm run seed:large -- 3000000')
}
const state = await readState()
if (!state) throw new Error('The private stack is not running: npm run stack -- up')
const ownerUrl = new Map(postgres.environment(state)).get('RINGPROOF_DATABASE_OWNER_URL') ?? ''
const started = performance.now()
const { slots } = await openLargeDatabase(ownerUrl, count, (line) => process.stdout.write(`${line}\n`))
await slots.close()
const seconds = ((performance.now() - started) / 1_000).toFixed(0)
process.stdout.write(`${count} verifications in database ringproof_large_${count} (${seconds} s)\n`)
