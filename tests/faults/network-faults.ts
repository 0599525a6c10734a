// F7, F11, F12, F14, F23 and F28: links that are cut, slow, lossy or lying.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { ClientLine, FaultLine, Histories } from '../crash/histories.ts'
import { createCopies } from '../crash/nemesis.ts'
import { between, one } from '../crash/plan.ts'
import type { Fault, Site } from './case.ts'
import { lagMs } from './database-faults.ts'
import { durationMs, type Measure, percentile, startsOf } from './measures.ts'
import { delayPort, dropPort, resetPort } from './network.ts'
import type { AppMachine } from './topology.ts'

const ports = { postgres: 5432, nats: 4222 } as const

export const networkFaults: readonly Fault[] = [
  {
    id: 'F7',
    name: 'PostgreSQL is 40 ms away for one machine, and an account is locked for 3 s',
    loadMs: 14_000,
    isAlone: true,
    strike: slowDatabase,
    measure: otherAccounts,
  },
  {
    id: 'F11',
    name: 'NATS is cut off from one machine or both for 15 s',
    loadMs: 20_000,
    strike: cutNats,
  },
  {
    id: 'F12',
    name: 'every call order arrives up to three more times within 2 s, over a slow link',
    loadMs: 12_000,
    strike: repeatOrders,
  },
  {
    id: 'F14',
    name: 'the connection to ARI is cut or reset, for the scaled 5 and 30 s',
    loadMs: 12_000,
    strike: cutAri,
  },
  {
    id: 'F23',
    name: 'DNS is silent, then refuses, then lies',
    loadMs: 12_000,
    isAlone: true,
    strike: breakNames,
  },
  {
    id: 'F28',
    name: 'one machine sees the carriers and NATS, but not PostgreSQL, for 15 s',
    loadMs: 20_000,
    strike: splitFromDatabase,
  },
]

async function slowDatabase(site: Site): Promise<readonly Measure[]> {
  const { apps, cluster, random, broken, volley } = site
  const app = one(random, apps)
  const { accountId } = site.services.blue
  volley('postgres')
  await broken('lock', String(accountId), async () => {
    const targets = cluster.machines.map(({ address }) => address)
    const undo = await delayPort(app, targets, ports.postgres, 20)
    await sleep(3_000)
    await lockAccount(site, accountId, 3_000)
    await sleep(2_000)
    await undo()
  })
  return []
}

async function lockAccount({ filled }: Site, accountId: number, holdMs: number): Promise<void> {
  const client = new Client({ connectionString: filled.ownerUrls[0] })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [accountId])
  await sleep(holdMs)
  await client.query('ROLLBACK')
  await client.end()
}

// Half of the requests go over the slow link, with a dozen round trips each.
function otherAccounts(histories: Histories, { victim, atMs, backAtMs }: FaultLine): readonly Measure[] {
  const isDuring = ({ sentAtMs }: ClientLine) => sentAtMs >= atMs && sentAtMs <= backAtMs
  const owners = new Map(
    histories.record.flatMap((line) => (line.type === 'service' ? [[line.id, line.accountId] as const] : [])),
  )
  const others = startsOf(histories).filter((line) => isDuring(line) && owners.get(line.serviceId) !== Number(victim))
  return [
    {
      what: 'ms until the slowest 5 % of responses to other accounts',
      value: percentile(others.map(durationMs), 0.95),
      max: 2_000,
    },
    { what: 'requests of other accounts without response', value: others.filter(isLost).length, max: 0 },
  ]
}

function isLost({ response, isUnsent }: ClientLine): boolean {
  return response === undefined && isUnsent !== true
}

async function cutNats({ apps, random, broken, volley }: Site): Promise<readonly Measure[]> {
  const chosen = one(random, [[apps[0]], [apps[1]], apps])
  volley('nats')
  await sleep(between(random, 0, 250))
  await broken('cut', 'nats', async () => {
    const undone = chosen.map((app) => dropPort(app, 'tcp', ports.nats))
    await sleep(15_000)
    for (const undo of undone) undo()
  })
  return []
}

async function repeatOrders(site: Site): Promise<readonly Measure[]> {
  const { apps, cluster, random, broken, volley } = site
  const rates = [0, 1, 2].map((nth) =>
    createCopies(between(random, 1, 1_000) + nth, cluster.natsUrl, () => undefined, often),
  )
  const copies = await Promise.all(rates)
  const undo = await delayPort(
    one(random, apps),
    cluster.machines.map(({ address }) => address),
    ports.nats,
    150,
  )
  await broken('repeat', 'nats', async () => {
    for (let nth = 0; nth < 4; nth++) {
      volley('nats')
      await sleep(2_000)
    }
  })
  await undo()
  for (const { close } of copies) await close()
  return [{ what: 'orders delivered again', value: copies.reduce((sum, { count }) => sum + count(), 0), min: 10 }]
}

const often = { atOnce: 0.5, late: 0.5, lateMs: { first: 0, last: 2_000 } }

async function cutAri({ apps, random, broken, volley }: Site): Promise<readonly Measure[]> {
  for (const holdMs of [1_000, 6_000]) {
    const app = one(random, apps)
    const breakPort = one(random, [
      (port: number) => dropPort(app, 'tcp', port),
      (port: number) => resetPort(app, port),
    ])
    volley('asterisk')
    await sleep(between(random, 0, 600))
    await broken('cut', `ari-${app.nth}`, async () => {
      const undo = breakPort(app.asterisk.site.ariPort)
      await sleep(holdMs)
      undo()
    })
    await sleep(1_000)
  }
  return []
}

// Lies point to this machine and to the network of the cloud; nothing may connect there.
async function breakNames({ apps, names, broken, volley }: Site): Promise<readonly Measure[]> {
  const lies = [['127.0.0.1'], ['169.254.169.254'], ['::1', '10.0.0.1']] as const
  await broken('dns', 'names', async () => {
    for (const answer of ['silence', undefined, ...lies] as const) {
      names.answerWith(answer)
      volley('names')
      await sleep(1_500)
    }
    names.answerWith('truth')
  })
  const lags = await Promise.all(apps.map(({ metricsUrl }) => lagMs(metricsUrl)))
  return [{ what: 'ms of event loop lag (p99) of an API process', value: Math.max(...lags), max: 100 }]
}

async function splitFromDatabase({ apps, random, broken, volley }: Site): Promise<readonly Measure[]> {
  const app = one(random, apps)
  volley('postgres')
  let [cutAtMs, backAtMs] = [0, 0]
  await broken('split', `machine-${app.nth}`, async () => {
    const undo = dropPort(app, 'tcp', ports.postgres)
    cutAtMs = Date.now()
    for (let nth = 0; nth < 3; nth++) {
      await sleep(4_000)
      volley('postgres')
    }
    await sleep(3_000)
    backAtMs = Date.now()
    undo()
  })
  // A call that was claimed just before the cut may still be dialled.
  const dialled = dialledTimes(app).filter((atMs) => atMs > cutAtMs + 1_000 && atMs < backAtMs)
  return [{ what: 'calls dialled by the machine without PostgreSQL', value: dialled.length, max: 0 }]
}

function dialledTimes({ logDirectory }: AppMachine): readonly number[] {
  return readdirSync(logDirectory)
    .filter((name) => name.startsWith('calls-'))
    .flatMap((name) => readFileSync(join(logDirectory, name), 'utf8').split('\n'))
    .filter((line) => line.includes('"msg":"call dialled"'))
    .map((line) => Date.parse((JSON.parse(line) as { time: string }).time))
}
