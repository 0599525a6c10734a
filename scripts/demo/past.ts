// The past of the demo, in a database that is kept. At each start it is continued to now and copied, so that every demo begins with the
// same past, whatever was done in the one before. One that is older than a week, or of other code, is made again.

import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { slotsAll } from '../../server/src/domain/core/slot.ts'
import { dayMs, minuteMs } from '../../server/src/domain/values/time.ts'
import { loadNumbering } from '../../server/src/numbering/load-numbering.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { phonesAddress } from '../stack/parts/phones.ts'
import { loadState } from '../stack/state.ts'
import { beginningBefore } from '../world/demand.ts'
import type { Carried } from '../world/events.ts'
import { makeHistory, nothingCarried } from '../world/history.ts'
import { backdate, installRegistries, installWorld, orderAuditLog } from '../world/install.ts'
import type { InstalledCustomers } from '../world/installed.ts'
import { writePast } from '../world/past/write-past.ts'
import { drawsOf } from '../world/random.ts'
import { copyDatabase, createDatabase, type DatabaseUrls, hasDatabase } from './database.ts'
import { type Seeded, seedPeople } from './people.ts'
import { connectTrunks } from './trunks.ts'

const repository = join(import.meta.dirname, '../..')
const folder = join(repository, '.stack', 'demo-past')
const keptFile = join(folder, 'kept.json')
const database = 'ringproof_demo_past'

const seed = 1
/** The world began so many days ago. */
export const worldDays = 14
const keptMsMax = 7 * dayMs
// Everything that began before the end of the past is over by now.
const settledMs = 4 * minuteMs

type Kept = {
  readonly digest: string
  readonly madeMs: number
  readonly beginMs: number
  readonly untilMs: number
  readonly customers: InstalledCustomers
  readonly carried: Carried
  readonly seeded: Seeded
}

export type Past = Pick<Kept, 'customers' | 'seeded'>

type Folders = { readonly secrets: string; readonly numbering: string }

type Setup = {
  readonly stack: NodeJS.ProcessEnv
  readonly program: string
  // Only the last days of the world are written.
  readonly days: number
}

// The past, copied into the database of this name and into these folders.
export async function providePast(
  setup: Setup,
  name: string,
  { illPort, ...folders }: Folders & { readonly illPort: number },
): Promise<Past & DatabaseUrls> {
  const known = await readKept(setup)
  const kept = known ? keep(await continuePast(setup.stack, known)) : await makePast(setup)
  const urls = await copyDatabase(setup.stack, database, name)
  cpSync(join(folder, 'secrets'), folders.secrets, { recursive: true })
  cpSync(join(folder, 'numbering'), folders.numbering, { recursive: true })
  const state = await loadState()
  const slots = slotsOf(urls.RINGPROOF_DATABASE_OWNER_URL)
  await connectTrunks(slots, {
    first: `127.0.0.1:${illPort}`,
    carrier: `127.0.0.1:${state.ports.carrier}`,
    phones: phonesAddress(state),
  })
  await slots.close()
  return { ...kept, ...urls }
}

async function readKept({ stack, days }: Setup): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse(readFileSync(keptFile, 'utf8')) as Kept
    const isFresh = kept.digest === digestOf(days) && Date.now() - kept.madeMs < keptMsMax
    return isFresh && (await hasDatabase(stack, database)) ? kept : undefined
  } catch {
    return undefined
  }
}

// Of what decides what is in the past, and in which tables.
function digestOf(days: number): string {
  const hash = createHash('sha256').update(String(days))
  const files = '{scripts/world/**/*.ts,scripts/demo/{past,people}.ts,server/src/db/**/*.sql}'
  for (const file of globSync(files, { cwd: repository }).toSorted()) {
    hash.update(file).update(readFileSync(join(repository, file)))
  }
  return hash.digest('hex')
}

async function makePast({ stack, program, days }: Setup): Promise<Kept> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'numbering'), { recursive: true, mode: 0o700 })
  const urls = await createDatabase(stack, database)
  const environment = {
    ...process.env,
    ...stack,
    ...urls,
    RINGPROOF_SECRETS_DIR: join(folder, 'secrets'),
    RINGPROOF_NUMBERING_DIR: join(folder, 'numbering'),
  }
  for (const command of ['setup', 'migrate']) {
    const { status, stderr } = spawnSync(process.execPath, [program, command], { env: environment, encoding: 'utf8' })
    if (status !== 0) throw new Error(`ringproof ${command} failed: ${stderr}`)
  }
  const slots = slotsOf(urls.RINGPROOF_DATABASE_OWNER_URL)
  const recordKeys = readSecrets(join(folder, 'secrets'))['seal-records']
  const deps = { slots, recordKeys, randomBytes }
  const madeMs = Date.now()
  const beginMs = beginningBefore(madeMs, worldDays)
  await installRegistries(join(folder, 'numbering'))
  const customers = await installWorld(deps, beginMs)
  await asOwner(urls.RINGPROOF_DATABASE_OWNER_URL, (client) => backdate(client, customers, beginMs))
  const empty = { digest: digestOf(days), madeMs, beginMs, customers, carried: nothingCarried }
  const written = await continuePast(stack, { ...empty, untilMs: beginningBefore(madeMs, days) })
  await asOwner(urls.RINGPROOF_DATABASE_OWNER_URL, orderAuditLog)
  // Last, because the audit log is in the order of time.
  const kept = { ...written, seeded: await seedPeople(deps, customers) }
  await slots.close()
  return keep(kept)
}

function keep(kept: Kept): Kept {
  writeFileSync(keptFile, JSON.stringify(kept), { mode: 0o600 })
  return kept
}

async function continuePast<Opened extends Omit<Kept, 'seeded'>>(stack: Setup['stack'], kept: Opened): Promise<Opened> {
  const nowMs = Date.now()
  const untilMs = Math.floor((nowMs - settledMs) / minuteMs) * minuteMs
  if (untilMs <= kept.untilMs) return kept
  const { beginMs, customers, carried } = kept
  const history = makeHistory({ seed, beginMs, fromMs: kept.untilMs, untilMs, carried })
  const secrets = readSecrets(join(folder, 'secrets'))
  const numbering = await loadNumbering(join(folder, 'numbering'))
  const keys = {
    records: secrets['seal-records'],
    tenant: secrets['phone-tenant'],
    subscriber: secrets['phone-subscriber'],
    slot: secrets['phone-slot'],
  }
  const url = new URL(stack['RINGPROOF_DATABASE_OWNER_URL'] ?? '')
  url.pathname = `/${database}`
  // A past that was written halfway is not continued.
  rmSync(keptFile, { force: true })
  await asOwner(url.href, (client) =>
    writePast({ client, customers, keys, index: numbering.current(), randomBytes, draw: drawsOf(seed) }, history, {
      fromMs: kept.untilMs,
      untilMs,
      nowMs,
    }),
  )
  return { ...kept, untilMs, carried: history.carried }
}

function slotsOf(ownerUrl: string) {
  return createSlotMap(new Map(slotsAll.map((slot) => [slot, ownerUrl])))
}

async function asOwner<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
