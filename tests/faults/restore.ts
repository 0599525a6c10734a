// F25: everything is lost, and a base backup from the middle of the load is restored. What was accepted after it is gone, so
// its histories are not those of the case: they are checked here. No phone that was called rings again, what was open in
// the backup ends, and the ledger is in order; then the case goes on as every other.
//
// A restore to a point in time, with pgBackRest and WAL, is `npm run backup:drill`.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresProgram } from '../../scripts/stack/parts/postgres.ts'
import { run } from '../../scripts/stack/process.ts'
import type { CarrierLine, Recorder } from '../crash/histories.ts'
import { createRandom, planRequests } from '../crash/plan.ts'
import { settled } from '../crash/record.ts'
import { sendAll } from '../crash/workload.ts'
import { type Machine, replicationPassword } from '../ha/cluster.ts'
import type { Fault, Site } from './case.ts'
import { isWritable } from './database-faults.ts'
import type { Measure } from './measures.ts'

export const restore: Fault = {
  id: 'F25',
  name: 'all databases are lost, and a base backup is restored',
  // The requests of the case would be lost with the rest.
  loadMs: 0,
  leadMs: 0,
  strike: restoreBackup,
}

const lostMs = 8_000

async function restoreBackup(site: Site): Promise<readonly Measure[]> {
  const { cluster, recorder, recordInto, otherClients, random, broken, filled } = site
  const seen: CarrierLine[] = []
  const lost = carrierOnly(seen)
  recordInto(lost)
  const requests = planRequests(createRandom(Math.floor(random() * 1e6)), lostMs)
  const calls = requests.filter(({ mode, kind }) => mode !== 'inbound' && kind !== 'foreign')
  const load = sendAll(await otherClients(lost), calls)
  await sleep(lostMs / 2)
  const { primary } = await cluster.whole()
  const backup = join(primary.home, 'postgres', 'backup')
  await takeBackup(primary, backup)
  await load
  await settled(filled)
  const dialled = new Set(seen.map(({ phone }) => phone))
  const before = seen.length
  await broken('restore', 'postgres-0', () => replaceAll(site, primary, backup))
  await settled(filled)
  const again = seen.slice(before).filter((line) => line.type === 'dialog' && line.event === 'INVITE')
  recordInto(recorder)
  return [
    { what: 'phones called before the restore', value: dialled.size, min: 1 },
    { what: 'calls dialled again after it', value: again.length, max: 0 },
  ]
}

async function takeBackup({ launcher, address }: Machine, place: string): Promise<void> {
  const asPostgres = [...launcher, 'setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
  const program = await postgresProgram('pg_basebackup')
  const options = ['-h', address, '-U', 'replicator', '-D', place, '-X', 'stream', '-c', 'fast']
  await run([...asPostgres, program, ...options], {
    env: { PATH: process.env['PATH'], PGPASSWORD: replicationPassword },
  })
}

// What etcd knows about the lost databases is removed, too; the settings of the cluster are kept.
async function replaceAll(site: Site, primary: Machine, backup: string): Promise<void> {
  const { machines, whole } = site.cluster
  await Promise.all(machines.map(({ patroni }) => patroni.close()))
  for (const { dataDirectory } of machines) rmSync(dataDirectory, { recursive: true })
  for (const key of ['leader', 'sync', 'status', 'history', 'failover', 'failsafe']) {
    const body = JSON.stringify({ key: Buffer.from(`/service/ringproof/${key}`).toString('base64') })
    await fetch(`http://${primary.address}:2379/v3/kv/deleterange`, { method: 'POST', body })
  }
  await run(['mv', backup, primary.dataDirectory])
  primary.patroni.start()
  await isWritable(site)
  for (const machine of machines) if (machine !== primary) machine.patroni.start()
  await whole()
}

function carrierOnly(lines: CarrierLine[]): Recorder {
  const nothing = () => undefined
  return {
    settings: nothing,
    client: nothing,
    receiver: nothing,
    record: nothing,
    fault: nothing,
    scan: nothing,
    carrier: (line) => void lines.push(line),
  }
}
