// F1 to F4, F9 and F10: processes of the product and NATS servers are killed, frozen or emptied. Kills and pauses are those
// of the crash test's nemesis.

import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { breakThings } from '../crash/nemesis.ts'
import { between, one, type Fault as PlannedFault, planVolley } from '../crash/plan.ts'
import { poll } from '../support/poll.ts'
import type { Fault, Site } from './case.ts'
import { gap, retriedKeys } from './measures.ts'
import { roleNames } from './topology.ts'

type Act = { readonly act: PlannedFault['act']; readonly victim: string; readonly holdMs: number }

export const processFaults: readonly Fault[] = [
  {
    id: 'F1',
    name: 'an API process is killed',
    loadMs: 8_000,
    strike: (site) => nemesis(site, killsOf(site, 'api')),
    measure: retriedKeys,
  },
  {
    id: 'F2',
    name: 'a process that places calls is killed',
    loadMs: 8_000,
    strike: (site) => nemesis(site, killsOf(site, 'calls')),
  },
  {
    id: 'F3',
    name: 'a process that sends webhooks is killed',
    loadMs: 8_000,
    strike: (site) => nemesis(site, killsOf(site, 'webhooks')),
    measure: ({ receiver }) => {
      const ids = new Set(receiver.map(({ webhookId }) => webhookId))
      return [{ what: 'webhooks that arrived again under the same ID', value: receiver.length - ids.size }]
    },
  },
  {
    id: 'F4',
    name: 'processes are frozen for the scaled 5, 20 and 40 s',
    loadMs: 12_000,
    strike: (site) =>
      nemesis(
        site,
        [1_000, 4_000, 8_000].map((holdMs) => pauseOf(site, holdMs)),
      ),
  },
  {
    id: 'F9',
    name: 'the NATS server that leads the queue is killed',
    loadMs: 14_000,
    strike: killNatsLeader,
    measure: gap(9_000),
  },
  {
    id: 'F10',
    name: 'the data of all NATS servers is wiped',
    loadMs: 16_000,
    strike: wipeNats,
    measure: gap(16_000),
  },
]

function killsOf({ random }: Site, role: string): readonly Act[] {
  const first = between(random, 0, 1)
  return [first, 1 - first, first].map((nth) => ({
    act: 'kill',
    victim: `${role}-${nth}`,
    holdMs: between(random, 50, 700),
  }))
}

// One of the two keepers is always left running, so only the first may be frozen.
function pauseOf({ random }: Site, holdMs: number): Act {
  const role = one(random, [...roleNames, 'calls'] as const)
  const nth = role === 'keeper' ? 0 : between(random, 0, 1)
  return { act: 'pause', victim: `${role}-${nth}`, holdMs }
}

export async function nemesis(site: Site, acts: readonly Act[]): Promise<readonly []> {
  const { apps, recorder, random, send } = site
  const parts = new Map(
    apps.flatMap(({ role, asterisk }) => [...Object.values(role), asterisk]).map((part) => [part.name, part]),
  )
  const planned = acts.map((act, index) => ({
    ...act,
    gapMs: between(random, 600, 1_600),
    leadMs: between(random, 0, 600),
    volley: planVolley(random, act, index),
  }))
  const nats = { wipe: () => undefined }
  await breakThings(planned, parts, { nats }, recorder, async (request) => send([request]))
  return []
}

async function killNatsLeader(site: Site): Promise<readonly []> {
  const { cluster, stream, random, broken, volley } = site
  const leader = await cluster.streamLeader(stream)
  volley('nats')
  await sleep(between(random, 0, 250))
  await broken('kill', 'nats', async () => {
    await leader.nats.kill()
    await sleep(between(random, 200, 5_000))
    leader.nats.start()
    await isLed(site)
  })
  return []
}

async function wipeNats(site: Site): Promise<readonly []> {
  const { cluster, random, broken, volley } = site
  volley('nats')
  await sleep(between(random, 0, 250))
  await broken('wipe', 'nats', async () => {
    await Promise.all(cluster.machines.map(({ nats }) => nats.kill()))
    // Gone for the servers; kept aside, because it must not contain a number.
    for (const { natsStore } of cluster.machines) {
      const store = `${natsStore}/jetstream`
      renameSync(store, `${natsStore}/wiped-${Date.now()}`)
      mkdirSync(store, { mode: 0o700 })
      execFileSync('chown', ['postgres:postgres', store])
    }
    for (const { nats } of cluster.machines) nats.start()
    await isLed(site)
  })
  return []
}

// The stream is there and has a leader. After a wipe the product makes it again.
export async function isLed({ cluster, stream }: Site): Promise<void> {
  const leader = () => cluster.streamLeader(stream).catch(() => undefined)
  await poll('the queue to have a leader', leader, (found) => found !== undefined, { intervalMs: 200 })
}
