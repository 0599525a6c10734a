// The disk of the database is full: starts are refused with code 5 and leave nothing behind, reading goes on, and everything
// goes on by itself once there is room again. A PostgreSQL of the test's own, on a small disk of its own. Needs to be root.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { auditLedger } from '../../server/src/actions/audit-ledger.ts'
import { createOwnPostgres } from '../support/database/private-postgres.ts'
import { ask, assertRefused } from '../support/http/ask.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { createSmallDisk } from '../support/process/small-disk.ts'

const disk = createSmallDisk(300)
const own = await createOwnPostgres([], disk.place)
const installation = await installPhones(0.2, 1, {}, own)
const { base } = await serve(installation)
const service = await makeService(installation, 10_000)
const database = installation.slots.globalDatabase

const post = (method: string, body: unknown) =>
  ask(`${base}/v1.0/${method}`, { method: 'POST', headers: service.bearer, body })
const start = () => post('initCall', { phone: freshNumber('180') })

async function startedIds(): Promise<ReadonlySet<number>> {
  const { rows } = await database.query<{ id: number }>('SELECT id FROM verifications')
  return new Set(rows.map(({ id }) => id))
}

test('a full disk: code 5 and nothing half-done, getInfo works, and calls start again when there is room', async (t) => {
  const before = await start()
  assert.equal(before.status, 200, before.text)
  const known = Number(before.json['vendor_id'])
  assert.equal((await settled(base, service, known))['call_status'], 1)
  // Room in the write-ahead log, so that tables fail first: a log without room stops the server.
  const superuser = new Client({ connectionString: own.superuserUrl })
  await superuser.connect()
  for (let n = 0; n < 4; n++) await superuser.query('SELECT pg_switch_wal()')
  await superuser.query('CHECKPOINT')
  await superuser.end()
  disk.fill()

  const accepted = [known]
  let refused = 0
  // There is some room in the last pages of every table.
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
