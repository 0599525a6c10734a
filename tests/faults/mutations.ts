// Proves that the matrix can fail: with every fault that the crash test seeds in the product, the same checker over this
// topology must report the invariant that it breaks. Processes are started from a copy of the product; `migrate` of that
// copy replaces the SQL functions.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../crash/installation.ts'
import { type MutationName, mutationNames, mutations, programOf } from '../crash/mutations.ts'
import { between } from '../crash/plan.ts'
import { type CaseResult, type Fault, runCase } from './case.ts'
import { nemesis } from './process-faults.ts'
import { roleNames, type Topology } from './topology.ts'

// This one is about two databases; the topology has one.
const elsewhere = new Set<MutationName>(['a replay that does not reserve again'])

export const mutationsHere = mutationNames.filter((name) => !elsewhere.has(name))

// A keeper is frozen for longer than a call may take, and one process of every other role is killed.
const faultForAll: Fault = {
  id: 'F0',
  name: 'a keeper is frozen and processes are killed',
  loadMs: 26_000,
  strike: (site) =>
    nemesis(site, [
      { act: 'pause', victim: 'keeper-0', holdMs: 24_000 },
      ...(['api', 'calls', 'webhooks'] as const).map((role) => ({
        act: 'kill' as const,
        victim: `${role}-${between(site.random, 0, 1)}`,
        holdMs: 300,
      })),
    ]),
}

export async function runMutation(topology: Topology, name: MutationName, seed: number): Promise<CaseResult> {
  const { apps, filled, migrationUrls, directory } = topology
  const copy = join(directory, `mutation-${mutationNames.indexOf(name)}`)
  mkdirSync(copy)
  const program = programOf(name, copy)
  await Promise.all(apps.flatMap(({ role }) => roleNames.map((one) => role[one].close())))
  await migrate(program, filled.environment, migrationUrls)
  const mutated = apps.map((app) => {
    const parts = roleNames.map((one) => [one, app.variant(one, {}, program)] as const)
    return { ...app, role: Object.fromEntries(parts) as typeof app.role }
  })
  const all = roleNames.flatMap((one) => mutated.map(({ role }) => role[one]))
  // The second keeper last: the first is the one that is frozen, and it must lead if anything does.
  for (const group of [all.slice(0, -1), all.slice(-1)]) {
    for (const part of group) part.start()
    await Promise.all(group.map((part) => part.ready()))
  }
  const [first, second] = mutated
  if (!first || !second) throw new RangeError('two machines are needed')
  const result = await runCase({ ...topology, apps: [first, second] }, faultForAll, seed)
  await Promise.all(all.map((part) => part.close()))
  return result
}

export function breaks(name: MutationName): string {
  return mutations[name].breaks
}
