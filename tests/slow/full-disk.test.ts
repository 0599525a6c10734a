// The database disk is full: starts are refused with code 5 and leave nothing behind, reads work, and everything
// recovers once there is space. A private PostgreSQL on a small disk. Needs root.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { createPrivatePostgres } from '../support/database/private-postgres.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serveProcess } from '../support/process/server.ts'
import { createSmallDisk } from '../support/process/small-disk.ts'

const disk = createSmallDisk(300)
const own = await createPrivatePostgres([], disk.place)
const installation = await installPhones(0.2, 1, {}, own)
const { base } = await serveProcess(installation)
const service = await makeService(installation, 10_000)
const database = installation.slots.globalDatabase

const post = (method: string, body: unknown) =>
  ask(`${base}/v1.0/${method}`, { method: 'POST', headers: service.bearer, body })
const start = () => post('initCall', { phone: freshNumber('180') })

async function startedIds(): Promise<ReadonlySet<number>> {
  const { rows } = await database.query<{ id: number }>('SELECT id FROM verifications')
  return new Set(rows.map(({ id }) => id))
}

test('with a full disk starts get code 5 and leave nothing behind, getInfo works, and calls resume when there is space', async (t) => {
  const before = await start()
  assert.equal(before.status, 200, before.text)
  const known = Number(before.json['vendor_id'])
  assert.equal((await settled(base, service, known))['call_status'], 1)
  // The WAL has space, so that tables fail first: without space for the WAL the server stops.
  const superuser = new Client({ connectionString: own.superuserUrl })
  await superuser.connect()
  for (let n = 0; n < 4; n++) await superuser.query('SELECT pg_switch_wal()')
  await superuser.query('CHECKPOINT')
  await superuser.end()
  disk.fill()

  const accepted = [known]
  let refused = 0
  // The last pages of every table have some free space.
  for (let n = 0; n < 3_000 && refused < 200; n += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, start))
    for (const response of answers) {
      if (response.status === 200) accepted.push(Number(response.json['vendor_id']))
      else {
        assertRefused(response, 5, 503)
        refused += 1
      }
    }
  }
  assert(refused >= 200, `only ${refused} were refused`)
  assert.equal((await post('getInfo', { uid: known })).json['call_status'], 1)
  assert.equal((await post('getBalance', {})).status, 200)
  assert.deepEqual(await startedIds(), new Set(accepted))

  disk.free()
  const after = await start()
  assert.equal(after.status, 200, after.text)
  accepted.push(Number(after.json['vendor_id']))
  for (const id of accepted) await settled(base, service, id)
  assert.deepEqual(await startedIds(), new Set(accepted))
  const { faults } = await auditLedger(installation)
  assert.deepEqual(faults, [])
  t.diagnostic(`${accepted.length} accepted, ${refused} refused with code 5; the first start with room was accepted`)
})
