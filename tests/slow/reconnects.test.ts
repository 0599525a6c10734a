// A PostgreSQL with six hundredths of a core loses every session at once: the processes that come back must not keep it down.

import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { atEnd } from '../support/at-end.ts'
import type { PoolsReport } from '../support/database/pools-process.ts'
import { createPrivatePostgres } from '../support/database/private-postgres.ts'
import { poll } from '../support/poll.ts'

const processes = 7
// Of each tenth of a second.
const quotaMs = 6
const backMaxMs = 30_000
const waitMs = 120_000

const group = limitGroup()
const { url, superuserUrl, server } = await createPrivatePostgres()
const children = Array.from({ length: processes }, () =>
  fork(new URL('../support/database/pools-process.ts', import.meta.url), [url], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  }),
)
atEnd(async () => children.forEach((child) => child.kill('SIGKILL')))
// The newest last.
const reports = new Map<ChildProcess, PoolsReport[]>(children.map((child) => [child, []]))
for (const child of children) child.on('message', (report: PoolsReport) => reports.get(child)?.push(report))

test(`${processes} processes lose their sessions, and all of them are served again`, { timeout: 300_000 }, async () => {
  await poll('all to be served', isServed)
  const sessions = sum([...reports.values()].map((all) => all.at(-1)?.sessions ?? 0))
  group.limit(Number(readFileSync(join(server.dataDirectory, 'postmaster.pid'), 'utf8').split('\n', 1)[0]))
  await endSessions()
  const startedMs = performance.now()
  for (const all of reports.values()) all.length = 0
  await poll('all to be served again', isServed, Boolean, { timeoutMs: waitMs })
  const tookMs = performance.now() - startedMs
  const failed = sum([...reports.values()].flat().map((report) => report.failed))
  process.stdout.write(
    `${sessions} sessions of ${processes} processes: all are served after ${Math.round(tookMs)} ms; ${failed} queries failed\n`,
  )
  assert(tookMs <= backMaxMs, `${tookMs} ms`)
})

// No query of the last second failed. The first report may be about the time before.
function isServed(): boolean {
  return [...reports.values()].every((all) => {
    const newest = all.at(-1)
    return all.length > 1 && newest !== undefined && newest.answered > 0 && newest.failed === 0
  })
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0)
}

async function endSessions(): Promise<void> {
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ringproof_app'`)
  await client.end()
}

// Of control groups version 1 or 2.
function limitGroup(): { readonly limit: (pid: number) => void } {
  const isFirst = existsSync('/sys/fs/cgroup/cpu')
  const directory = `/sys/fs/cgroup/${isFirst ? 'cpu/' : ''}ringproof-${process.pid}`
  mkdirSync(directory)
  atEnd(async () => rmdirSync(directory))
  const [quota, period] = [String(quotaMs * 1_000), '100000']
  if (isFirst) {
    writeFileSync(join(directory, 'cpu.cfs_period_us'), period)
    writeFileSync(join(directory, 'cpu.cfs_quota_us'), quota)
  } else writeFileSync(join(directory, 'cpu.max'), `${quota} ${period}`)
  return { limit: (pid) => writeFileSync(join(directory, 'cgroup.procs'), String(pid)) }
}
