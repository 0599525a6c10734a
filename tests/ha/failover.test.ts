// Two processes of Ringproof on three machines with PostgreSQL, etcd and NATS, 40 calls a second, and one fault after the
// other. Each has a longest time without an accepted call; nothing that was acknowledged is lost, no phone rings twice, no
// client sees an internal error, and the ledger is in order. The faults of PostgreSQL are repeated over HAProxy.

import assert from 'node:assert/strict'
import { before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { connect } from '../../server/src/db/core/database.ts'
import { migrate } from '../../server/src/db/core/migrate.ts'
import { databaseRoles, groupOf } from '../../server/src/domain/core/database-role.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { putPhones } from '../support/process/phones.ts'
import { install, makeService, serveProcess } from '../support/process/server.ts'
import { type Cluster, createCluster, type Machine, superuserPassword } from './cluster.ts'
import { createHosts } from './hosts.ts'
import { type Load, startLoad } from './load.ts'

const perSecond = 40
const password = 'application-password'
const quietMs = 5_000
const settleMs = 150_000
// A machine comes back after this.
const awayMs = 30_000
// Shorter pauses are those of a busy machine.
const noGapMs = 1_500

const cluster = await createCluster(createHosts(atEnd), atEnd)
const { installation, stream } = await installOn(cluster)
const service = await makeService(installation, 100_000)
let processes = [await serveProcess(installation), await serveProcess(installation)]

type Roles = { readonly primary: Machine; readonly standby: Machine }
type Fault = {
  readonly name: string
  readonly gapMsMax: number
  readonly lasts?: number
  // Another machine is the primary afterwards: the fault was one.
  readonly movesPrimary?: true
  readonly strike: (roles: Roles) => Promise<void> | void
  readonly heal?: (roles: Roles) => void
}

const faults: readonly Fault[] = [
  {
    name: 'the postmaster of the primary is killed',
    gapMsMax: 6_000,
    movesPrimary: true,
    strike: ({ primary }) => primary.killPostmaster(),
  },
  {
    name: 'the machine of the primary dies',
    gapMsMax: 25_000,
    movesPrimary: true,
    lasts: awayMs,
    strike: async ({ primary: { patroni, etcd, nats, killPostmaster } }) => {
      const gone = [patroni.kill(), etcd.kill(), nats.kill()]
      killPostmaster()
      await Promise.all(gone)
    },
    heal: ({ primary: { patroni, etcd, nats } }) => {
      etcd.start()
      nats.start()
      patroni.start()
    },
  },
  {
    name: 'the network of the primary is cut',
    gapMsMax: 25_000,
    movesPrimary: true,
    lasts: awayMs,
    strike: ({ primary }) => primary.cut(),
    heal: ({ primary }) => primary.join(),
  },
  {
    name: 'a planned switchover',
    gapMsMax: 3_000,
    movesPrimary: true,
    strike: ({ primary, standby }) => cluster.switchOver(primary, standby),
  },
  {
    name: 'the NATS server that leads the queue is killed',
    gapMsMax: 8_000,
    strike: async ({ standby }) => {
      await cluster.leadFrom(stream, standby)
      await standby.nats.kill()
    },
    heal: ({ standby }) => standby.nats.start(),
  },
  {
    // It also has the synchronous standby, which holds commits until it is given up.
    name: 'the machine of the NATS leader is cut off',
    gapMsMax: 12_000,
    lasts: awayMs,
    strike: async ({ standby }) => {
      await cluster.leadFrom(stream, standby)
      standby.cut()
    },
    heal: ({ standby }) => standby.join(),
  },
  {
    name: 'all of etcd is down for half a minute',
    gapMsMax: noGapMs,
    lasts: 30_000,
    strike: async () => {
      await Promise.all(cluster.machines.map(({ etcd }) => etcd.kill()))
    },
    heal: () => {
      for (const { etcd } of cluster.machines) etcd.start()
    },
  },
]

for (const fault of faults) {
  test(`${fault.name}: calls are accepted again within ${fault.gapMsMax / 1_000} s`, (t) => survive(t, fault))
}

describe('over HAProxy', () => {
  before(async () => {
    await serveWith({ RINGPROOF_DATABASE_URL: (await cluster.startProxy())('ringproof_app', password, 'ringproof') })
  })
  for (const fault of faults.slice(0, 4)) {
    test(`${fault.name}: calls are accepted again within ${fault.gapMsMax / 1_000} s`, (t) => survive(t, fault))
  }
})

describe('seeded mistakes are found', () => {
  test('a database URL with one host', async (t) => {
    const { primary } = await cluster.whole()
    const url = `postgres://ringproof_app:${password}@${primary.address}:5432/ringproof`
    await serveWith({ RINGPROOF_DATABASE_URL: url })
    const switchover = faults.find(({ name }) => name === 'a planned switchover')
    assert.ok(switchover)
    await assert.rejects(survive(t, switchover), /calls to be accepted/)
  })

  test('a queue without replicas', async (t) => {
    const prefix = 'single'
    await serveWith({ RINGPROOF_NATS_PREFIX: prefix, RINGPROOF_NATS_REPLICAS: '1' })
    const leader = await cluster.streamLeader(`${prefix}-calls-0`)
    const killed = {
      name: 'the NATS server that has the queue is killed',
      gapMsMax: 8_000,
      strike: () => leader.nats.kill(),
      heal: () => leader.nats.start(),
    }
    await assert.rejects(survive(t, killed), /calls to be accepted/)
  })
})

async function serveWith(changes: Readonly<Record<string, string>>): Promise<void> {
  for (const { running } of processes) running.process.kill('SIGTERM')
  await Promise.all(processes.map(({ running }) => running.ended))
  const changed = { ...installation, environment: { ...installation.environment, ...changes } }
  processes = [await serveProcess(changed), await serveProcess(changed)]
}

async function survive(t: TestContext, fault: Fault): Promise<void> {
  const roles = await cluster.whole()
  const load = startLoad(
    processes.map(({ base }) => base),
    service,
    perSecond,
  )
  const times = await strike(fault, roles, load)
  await load.stop()
  const gapMs = load.gapMs(times.struckMs)
  const promoted = times.promotedMs === undefined ? '' : `, a new primary after ${Math.round(times.promotedMs)} ms`
  t.diagnostic(`${Math.round(gapMs)} ms without an accepted call${promoted}; ${JSON.stringify(load.counts())}`)
  const { primary } = await cluster.whole()
  assert.equal(primary !== roles.primary, fault.movesPrimary === true)
  await assertNothingLost(load)
  assert.equal(load.counts()['HTTP 500'] ?? 0, 0)
  assert.ok(gapMs <= fault.gapMsMax, `${gapMs} ms without an accepted call`)
}

async function strike(fault: Fault, roles: Roles, load: Load) {
  await sleep(quietMs)
  const struckMs = performance.now()
  try {
    await fault.strike(roles)
    const brokenMs = performance.now()
    const promotedMs = fault.movesPrimary && (await untilPromoted(roles.primary)) - struckMs
    await sleep(Math.max(0, (fault.lasts ?? 0) - (promotedMs ?? 0)))
    await poll('calls to be accepted', () => isServing(load, brokenMs), Boolean, { intervalMs: 200 })
    fault.heal?.(roles)
    await sleep(quietMs)
    return { struckMs, promotedMs }
  } catch (error) {
    fault.heal?.(roles)
    await load.stop()
    throw error
  }
}

// When another machine than the one before says that it is the primary.
async function untilPromoted(former: Machine): Promise<number> {
  const others = cluster.machines.filter((machine) => machine !== former)
  const isPrimary = ({ address }: Machine) =>
    fetch(`http://${address}:8008/primary`).then(
      ({ ok }) => ok,
      () => false,
    )
  const read = async () => (await Promise.all(others.map(isPrimary))).includes(true)
  await poll('another primary', read, Boolean, { intervalMs: 50 })
  return performance.now()
}

// Half of the rate in a second that began after the fault: what was accepted before says nothing.
function isServing(load: Load, brokenMs: number): boolean {
  const sinceMs = performance.now() - 1_000
  return sinceMs >= brokenMs && load.acceptedSince(sinceMs) >= perSecond / 2
}

async function assertNothingLost(load: Load): Promise<void> {
  const ids = [...load.accepted.keys()]
  const { globalDatabase } = installation.slots
  const read = async () => {
    const sql = `SELECT count(*)::int AS there, count(*) FILTER (WHERE state IN ('succeeded', 'failed'))::int AS ended
      FROM verifications WHERE id = ANY ($1)`
    const { rows } = await globalDatabase.query<{ there: number; ended: number }>(sql, [ids])
    return rows[0] ?? { there: 0, ended: 0 }
  }
  const { there } = await poll('every call to end', read, ({ ended }) => ended === ids.length, { timeoutMs: settleMs })
  assert.equal(there, ids.length)
  const dialled = processes.flatMap(({ output }) =>
    [...output().matchAll(/"vendor_id":(\d+),[^\n]*"msg":"call dialled"/g)].map(([, id]) => id),
  )
  assert.ok(dialled.length > 0)
  assert.equal(new Set(dialled).size, dialled.length, 'a phone rang twice')
  assert.deepEqual((await auditLedger(installation)).faults, [])
  for (const { running } of processes) assert.equal(running.process.exitCode, null)
}

async function installOn({ databaseUrl, natsUrl }: Cluster) {
  const superuser = connect(databaseUrl('postgres', superuserPassword, 'postgres'))
  for (const role of ['ringproof_owner', 'ringproof_app']) {
    await superuser.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`)
  }
  for (const role of databaseRoles) await superuser.query(`CREATE ROLE ${groupOf(role)} ROLE ringproof_app`)
  await superuser.query('CREATE DATABASE ringproof OWNER ringproof_owner')
  await superuser.end()
  const ownerUrl = databaseUrl('ringproof_owner', password, 'ringproof')
  await migrate(ownerUrl, { waiting: () => undefined, done: () => undefined })
  const own = { ownerUrl, url: databaseUrl('ringproof_app', password, 'ringproof') }
  const { environment, ...installed } = await install(1, own)
  await putPhones(installed.slots.globalDatabase)
  const prefix = 'ha'
  return {
    stream: `${prefix}-calls-0`,
    installation: {
      ...installed,
      environment: {
        ...environment,
        RINGPROOF_NATS_URL: natsUrl,
        RINGPROOF_NATS_PREFIX: prefix,
        RINGPROOF_NATS_REPLICAS: '3',
        RINGPROOF_PLAIN_CONNECTIONS: 'nats,postgres',
        RINGPROOF_SWITCH: 'fake',
      },
    },
  }
}
