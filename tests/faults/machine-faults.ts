// F8, F19, F20, F26 and F27: disks, clocks, power, memory and CPU of a machine.

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesIn } from '../../scripts/stack/process.ts'
import type { Part } from '../crash/child.ts'
import type { FaultLine, Histories } from '../crash/histories.ts'
import { between, one } from '../crash/plan.ts'
import { poll } from '../support/poll.ts'
import { createMovedClock } from '../support/process/moved-clock.ts'
import type { Fault, Site } from './case.ts'
import { isWritable, signalAll } from './database-faults.ts'
import type { Measure } from './measures.ts'
import { isLed } from './process-faults.ts'
import { type AppMachine, type RoleName, roleNames } from './topology.ts'

export const machineFaults: readonly Fault[] = [
  {
    id: 'F8',
    name: 'the disk of the primary is full for 8 s',
    loadMs: 14_000,
    strike: fillDisk,
    measure: refusedMeanwhile,
  },
  {
    id: 'F19',
    name: 'the clock of one machine jumps by an hour, a day and ten seconds back',
    loadMs: 24_000,
    strike: moveClock,
  },
  {
    id: 'F20',
    name: 'all three database machines lose power at once',
    loadMs: 14_000,
    strike: losePower,
  },
  {
    id: 'F26',
    name: 'one machine runs out of memory again and again while all CPU cores are busy',
    loadMs: 20_000,
    isAlone: true,
    strike: starve,
  },
  {
    id: 'F27',
    name: 'the log disk of one machine is full for 6 s',
    loadMs: 12_000,
    strike: fillLogDisk,
  },
]

async function fillDisk(site: Site): Promise<readonly Measure[]> {
  const { cluster, disks, broken, volley } = site
  const { primary } = await cluster.whole()
  const disk = disks.get(primary.name)
  volley('postgres')
  await broken('full', 'postgres-0', async () => {
    disk?.fill()
    for (let nth = 0; nth < 4; nth++) {
      await sleep(2_000)
      volley('postgres')
    }
    disk?.free()
    await isWritable(site)
  })
  return []
}

function refusedMeanwhile({ client }: Histories, { atMs, backAtMs }: FaultLine): readonly Measure[] {
  const own = client.filter(
    ({ sentAtMs, response }) => sentAtMs >= atMs && sentAtMs <= backAtMs && response?.code === 5,
  )
  return [{ what: 'requests refused with code 5 meanwhile', value: own.length }]
}

async function fillLogDisk({ apps, logDisk, deaths, broken, volley }: Site): Promise<readonly Measure[]> {
  const before = deaths.length
  await broken('full', 'logs-1', async () => {
    logDisk.fill()
    for (let nth = 0; nth < 3; nth++) {
      volley('api-1')
      await sleep(2_000)
    }
    logDisk.free()
  })
  const [, app] = apps
  const { status } = await fetch(`${app.base}/readyz`)
  return [
    { what: 'processes that ended', value: deaths.length - before, max: 0 },
    { what: '= status of /readyz of that machine', value: status, min: 200, max: 200 },
  ]
}

const jumps = ['+1h', '-1h', '+1d', '+0', '-10s', '+0'] as const

async function moveClock(site: Site): Promise<readonly Measure[]> {
  const { apps, directory, random, broken, volley } = site
  const app = one(random, apps)
  const clock = createMovedClock(`clock-${Date.now()}`, directory)
  await withVariants(app, roleNames, clock.environment, async () => {
    await broken('clock', `machine-${app.nth}`, async () => {
      for (const jump of jumps) {
        clock.move(jump)
        volley(`api-${app.nth}`)
        await sleep(2_500)
      }
    })
  })
  return [{ what: 'jumps', value: jumps.length }]
}

// One more megabyte every 60 ms.
const leak = 'const%20kept=[];setInterval(()=>kept.push(new%20Array(131072).fill(0.5)),60).unref()'

async function starve(site: Site): Promise<readonly Measure[]> {
  const { apps, deaths, random, broken, volley } = site
  const app = one(random, apps)
  const before = deaths.length
  const settings = { NODE_OPTIONS: `--max-old-space-size=96 --import=data:text/javascript,${leak}` }
  const busy = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  try {
    await withVariants(app, ['api', 'calls', 'webhooks'], settings, () =>
      broken('starve', `machine-${app.nth}`, async () => {
        for (let nth = 0; nth < 5; nth++) {
          volley(`api-${app.nth}`)
          await sleep(3_000)
        }
      }),
    )
  } finally {
    for (const child of busy) child.kill('SIGKILL')
  }
  return [{ what: 'times a process ended', value: deaths.length - before, min: 1 }]
}

// Runs the roles of a machine with other settings meanwhile.
export async function withVariants<Role extends RoleName>(
  app: AppMachine,
  roles: readonly Role[],
  settings: Readonly<Record<string, string>>,
  work: (role: Readonly<Record<Role, Part>>) => Promise<void>,
): Promise<void> {
  const byRole = Object.fromEntries(roles.map((role) => [role, app.variant(role, settings)])) as Record<Role, Part>
  const variants = Object.values<Part>(byRole)
  await Promise.all(roles.map((role) => app.role[role].close()))
  for (const part of variants) part.start()
  await Promise.all(variants.map((part) => part.ready()))
  await work(byRole)
  await Promise.all(variants.map((part) => part.close()))
  for (const role of roles) app.role[role].start()
  await Promise.all(roles.map((role) => app.role[role].ready()))
}

// Everything is frozen, and what is synced at that moment is all that is left.
async function losePower(site: Site): Promise<readonly Measure[]> {
  const { cluster, disks, random, broken, volley } = site
  const { machines } = cluster
  volley('postgres')
  await sleep(between(random, 0, 250))
  await broken('power', 'postgres-0', async () => {
    for (const { patroni, etcd, nats } of machines) for (const part of [patroni, etcd, nats]) part.freeze()
    // Twice: the first pass may miss a session that its postmaster starts meanwhile.
    for (let pass = 0; pass < 2; pass++) {
      for (const { dataDirectory } of machines) signalAll(processesIn(dataDirectory), 'SIGSTOP')
    }
    for (const { name } of machines) disks.get(name)?.keepSynced()
    await Promise.all(machines.flatMap(({ patroni, etcd, nats }) => [patroni, etcd, nats].map((part) => part.kill())))
    for (const { dataDirectory } of machines) {
      signalAll(processesIn(dataDirectory), 'SIGKILL')
      await poll('PostgreSQL to end', () => processesIn(dataDirectory).length === 0)
    }
    for (const { name } of machines) disks.get(name)?.losePower()
    for (const { patroni, etcd, nats } of machines) for (const part of [etcd, nats, patroni]) part.start()
    await isWritable(site)
    await isLed(site)
  })
  return []
}
