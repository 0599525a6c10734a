// F5 and F6: PostgreSQL of the primary dies or freezes.

import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { processesIn } from '../../scripts/stack/process.ts'
import { between } from '../crash/plan.ts'
import { pollUntilResolved } from '../support/poll.ts'
import type { Fault, Site } from './case.ts'
import { gap, type Measure, slowestResponse } from './measures.ts'

export const databaseFaults: readonly Fault[] = [
  {
    id: 'F5',
    name: 'PostgreSQL of the primary is killed',
    loadMs: 12_000,
    strike: killPrimary,
    measure: (histories, line) => [...gap(7_000)(histories, line), ...slowestResponse(5_000)(histories)],
  },
  {
    id: 'F6',
    name: 'PostgreSQL of the primary is frozen for 20 s',
    loadMs: 35_000,
    isAlone: true,
    strike: freezePrimary,
    measure: gap(30_000),
  },
]

async function killPrimary(site: Site): Promise<readonly Measure[]> {
  const { cluster, random, broken, volley } = site
  const { primary } = await cluster.whole()
  volley('postgres')
  await sleep(between(random, 0, 250))
  await broken('kill', 'postgres-0', async () => {
    primary.killPostmaster()
    await isWritable(site)
  })
  return []
}

async function freezePrimary(site: Site): Promise<readonly Measure[]> {
  const { cluster, apps, random, broken, volley } = site
  const { primary } = await cluster.whole()
  volley('postgres')
  await sleep(between(random, 0, 250))
  await broken('pause', 'postgres-0', async () => {
    const pids = processesIn(primary.dataDirectory)
    signalAll(pids, 'SIGSTOP')
    await sleep(between(random, 18_000, 24_000))
    signalAll(pids, 'SIGCONT')
    await isWritable(site)
  })
  const lags = await Promise.all(apps.map(({ metricsUrl }) => lagMs(metricsUrl)))
  return [{ what: 'ms of event loop lag (p99) of an API process', value: Math.max(...lags), max: 100 }]
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // Gone meanwhile.
    }
  }
}

export async function lagMs(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  return Math.round(Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1_000)
}

// A primary takes writes, as seen through HAProxy.
export async function isWritable({ filled }: Site): Promise<void> {
  const write = async () => {
    const client = new Client({
      connectionString: filled.ownerUrls[0],
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('CREATE TABLE IF NOT EXISTS crash_probe (at timestamptz)')
      await client.query('INSERT INTO crash_probe VALUES (now())')
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  await pollUntilResolved('the database to take writes', write, { timeoutMs: 120_000, intervalMs: 200 })
}
