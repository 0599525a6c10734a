// A database with millions of verifications of the last month, on the server of the private stack, for measurements. It is
// filled day by day and kept: a run that was interrupted goes on with the day that is missing. `npm run seed:large -- 3000000`

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { createAccount } from '../../server/src/actions/accounts/accounts.ts'
import { createService } from '../../server/src/actions/accounts/services.ts'
import { migrate } from '../../server/src/db/core/migrate.ts'
import { createSlotMap, type SlotMap } from '../../server/src/db/core/slot-map.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import { firstIdOfSecond, slotsAll } from '../../server/src/domain/core/slot.ts'
import { zeroMoney } from '../../server/src/domain/money/money.ts'
import { defaultTariff } from '../../server/src/domain/money/tariff.ts'
import { daySeconds } from '../../server/src/domain/values/time.ts'
import { makeMissingSecrets, readSecrets, type Secrets } from '../../server/src/process/secrets.ts'
import { insertSeed, prepareSeed, type SeedService } from './traffic.ts'

export type LargeDatabase = {
  readonly ownerUrl: string
  readonly slots: SlotMap
  readonly secrets: Secrets
  // The first has the most traffic.
  readonly services: readonly SeedService[]
  // Unix time in seconds.
  readonly fromSecond: number
  readonly untilSecond: number
}

export const largeDays = 30
const accounts = 20
const batchRows = 100_000
// Days next to today have partitions already.
const daysAgo = 2

const places = join(import.meta.dirname, '../../.cache/seed-large')

export async function openLargeDatabase(
  stackOwnerUrl: string,
  count: number,
  say: (line: string) => void,
): Promise<LargeDatabase> {
  const ownerUrl = await createDatabase(stackOwnerUrl, `ringproof_large_${count}`)
  await migrate(ownerUrl, { waiting: () => undefined, done: () => undefined })
  const directory = join(places, String(count))
  mkdirSync(directory, { recursive: true })
  const secretsDir = join(directory, 'secrets')
  makeMissingSecrets(secretsDir, randomBytes)
  const secrets = readSecrets(secretsDir)
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, ownerUrl])))
  const { services, untilSecond } = await readPlan(join(directory, 'plan.json'), slots, secrets)
  const fromSecond = untilSecond - largeDays * daySeconds
  await fillMonth(ownerUrl, { services, secrets, untilSecond, count }, say)
  return { ownerUrl, slots, secrets, services, fromSecond, untilSecond }
}

type Month = {
  readonly services: readonly SeedService[]
  readonly secrets: Secrets
  readonly untilSecond: number
  readonly count: number
}

// So many verifications of the thirty days before, of these services. Two days are filled at a time.
export async function fillMonth(
  ownerUrl: string,
  { services, secrets, untilSecond, count }: Month,
  say: (line: string) => void,
): Promise<void> {
  const keys = { recordKeys: secrets['seal-records'], tenantKeys: secrets['phone-tenant'], randomBytes }
  const days = Array.from({ length: largeDays }, (_, nth): Day => {
    const fromSecond = untilSecond - (largeDays - nth) * daySeconds
    const name = `verifications_${new Date(fromSecond * 1_000).toISOString().slice(0, 10).replaceAll('-', '')}`
    return { name, fromSecond, first: nth * 100_000_000 + 1, count: count / largeDays }
  })
  await asOwner(ownerUrl, (one) =>
    asOwner(ownerUrl, async (other) => {
      const sessions = [one, other]
      for (const session of sessions) await prepareSeed(session, services, keys)
      for (let nth = 0; nth < largeDays; nth += sessions.length) {
        const filled = sessions.map(async (session, at) => {
          const day = days[nth + at]
          return day && (await fillDay(session, day, services.length)) ? [day] : []
        })
        // In order, because the counts are.
        for (const day of (await Promise.all(filled)).flat()) {
          await attachDay(one, day)
          say(`${day.name}: ${Math.floor(day.count)} verifications`)
        }
      }
      await one.query('UPDATE sweep_marks SET from_id = $1', [firstIdOfSecond(untilSecond)])
      await one.query('ANALYZE verifications, call_hours')
    }),
  )
}

type Plan = { readonly services: readonly SeedService[]; readonly untilSecond: number }

async function readPlan(file: string, slots: SlotMap, secrets: Secrets): Promise<Plan> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Plan
  const services: SeedService[] = []
  const actor = { address: '', userAgent: 'seed', operator: 'seed' }
  const deps = { slots, recordKeys: secrets['seal-records'], randomBytes, newServiceCaps: noCaps }
  for (let index = 0; index < accounts; index++) {
    const accountId = await createAccount(deps, actor, {
      email: `seed${index}@example.org`,
      balance: zeroMoney,
      tariff: defaultTariff,
    })
    const { serviceId } = await createService(deps, actor, { accountId, name: `Shop ${index}` })
    services.push({ accountId, serviceId })
  }
  const plan: Plan = { services, untilSecond: lastFullDay() }
  writeFileSync(file, JSON.stringify(plan))
  return plan
}

// Unix time in seconds at which the newest day of a month of seeds ends.
export function lastFullDay(): number {
  return (Math.floor(Date.now() / 1_000 / daySeconds) - daysAgo) * daySeconds
}

type Day = { readonly name: string; readonly fromSecond: number; readonly first: number; readonly count: number }

// The table is filled first and then attached: its indexes are built at once, which is several times faster. False if it is
// there already.
async function fillDay(client: Client, { name, fromSecond, first, count }: Day, services: number): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_inherits WHERE inhrelid = to_regclass($1)', [name])
  if (rowCount === 1) return false
  await client.query(`DROP TABLE IF EXISTS ${name}`)
  await client.query(
    `CREATE TABLE ${name} (LIKE verifications INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (fillfactor = 60)`,
  )
  const batches = Math.ceil(count / batchRows)
  for (let batch = 0; batch < batches; batch++) {
    const seconds = daySeconds / batches
    const stretch = {
      fromSecond: Math.floor(fromSecond + batch * seconds),
      seconds: Math.floor(seconds) - 1,
      first: first + batch * batchRows,
      count: Math.floor(Math.min(batchRows, count - batch * batchRows)),
    }
    await insertSeed(client, name, stretch, services)
  }
  return true
}

async function attachDay(client: Client, { name, fromSecond }: Day): Promise<void> {
  const [from, until] = [firstIdOfSecond(fromSecond), firstIdOfSecond(fromSecond + daySeconds)]
  await client.query('BEGIN')
  await client.query(`ALTER TABLE verifications ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${until})`)
  await countDay(client, from, until)
  await client.query('COMMIT')
}

// The hours of a whole day at once. The keeper, which counts minute by minute, takes several times as long.
async function countDay(client: Client, from: number, until: number): Promise<void> {
  await client.query('INSERT INTO call_minutes SELECT * FROM count_range($1, $2, NULL)', [from, until])
  await client.query('UPDATE call_count_marks SET counted_to = $1', [until])
  await client.query(`SELECT fold_hours(to_timestamp(($1::bigint >> 23) + id_epoch()))`, [until])
}

async function createDatabase(stackOwnerUrl: string, name: string): Promise<string> {
  await asOwner(stackOwnerUrl, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`)
    await client.query(`GRANT CONNECT ON DATABASE ${name} TO ringproof_app`)
  })
  const url = new URL(stackOwnerUrl)
  url.pathname = `/${name}`
  return url.href
}

async function asOwner(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
