// How a UDP trunk treats calls whose sender did or did not prove that it received our reply, and when it starts to
// enforce that.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { putTrunk, readTrunks } from '../../server/src/db/trunks/trunk.ts'
import { addReturnPathCounts, readReturnPathCounts } from '../../server/src/db/trunks/trunk-state.ts'
import { confirmedToEnforce, type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { ask } from '../support/http/ask.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { confirmationFirst, freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { createInboundCalls } from '../support/sip/inbound-calls.ts'

const installation = await installPhones(0.2)
const { globalDatabase } = installation.slots
const cli = createCli(installation.environment)
const { base } = await serve(installation)
const { phones, outcomes, checked } = await createInboundCalls(installation)
const receiver = await createReceiverToTheEnd()
const service = await makeService(installation)

type Listed = {
  readonly trunk: string
  readonly return_path: string
  readonly confirmed_calls: number
  readonly unconfirmed_calls: number
  readonly warnings: readonly string[]
}

async function called(trunk: string, isConfirmed: boolean): Promise<string | undefined> {
  let phone = ''
  let number = 0
  // Both trunks give out numbers; those of the wanted trunk start like this.
  const isOfTrunk = () => Math.floor((number - confirmationFirst) / 10_000) === (trunk === 'first' ? 0 : 1)
  while (number === 0 || !isOfTrunk()) {
    phone = freshNumber('180')
    const body = { phone, callback_url: `${receiver.url}/` }
    const asked = await ask(`${base}/v1.0/inboundCallWaiting`, { method: 'POST', headers: service.bearer, body })
    assert.equal(asked.status, 200, asked.text)
    number = Number(asked.json['confirmation_number'])
  }
  const seen = outcomes.length
  await phones.callIn({ trunk, called: `+${number}`, from: `+${phone}`, isConfirmed: Promise.resolve(isConfirmed) })
  await poll('the outcome', () => outcomes.length > seen)
  return outcomes.at(-1)
}

async function inForce(trunk: string, changes: Partial<Trunk>): Promise<void> {
  const known = (await readTrunks(globalDatabase)).find(({ name }) => name === trunk)
  assert(known)
  await putTrunk(globalDatabase, { ...known, ...changes })
  // Longer than the listener takes to decide.
  await sleep(600)
}

test('a trunk in record mode verifies and counts both; in enforce mode it verifies only confirmed calls', async () => {
  assert.equal(await called('first', true), 'matched')
  assert.equal(await called('first', false), 'matched')
  await inForce('first', { returnPath: 'enforce' })
  assert.equal(await called('first', true), 'matched')
  assert.equal(await called('first', false), 'unconfirmed')
  assert.deepEqual(checked, ['first true', 'first false', 'first true', 'first false'])
  // What is kept with each that matched: recording does not wait for the ACK.
  const kept = await globalDatabase.query<{ assurance: string }>(
    `SELECT assurance FROM verifications WHERE state = 'succeeded' ORDER BY ended_at`,
  )
  assert.deepEqual(
    kept.rows.map(({ assurance }) => assurance),
    ['none', 'none', 'ack'],
  )
})

test('a trunk enforces after a hundred confirmed calls, not after a hundred calls; recording again restarts the count', async () => {
  const mode = async () => (await readTrunks(globalDatabase)).find(({ name }) => name === 'second')?.returnPath
  const add = (confirmed: number, unconfirmed: number) =>
    addReturnPathCounts(globalDatabase, [{ trunk: 'second', confirmed, unconfirmed }], confirmedToEnforce)
  assert.deepEqual([await add(99, 500), await mode()], [[], 'record'])
  assert.deepEqual([await add(1, 0), await mode()], [['second'], 'enforce'])
  assert.deepEqual(await add(1, 1), [])
  const all = await cli.json<Listed[]>('trunks', 'list')
  const listed = all.find(({ trunk }) => trunk === 'second')
  assert.deepEqual(
    [listed?.return_path, listed?.confirmed_calls, listed?.unconfirmed_calls, listed?.warnings],
    ['enforce', 101, 501, []],
  )
  await cli.run('trunks', 'set', 'second', '--return-path', 'record')
  assert.deepEqual([await add(99, 0), await mode()], [[], 'record'])
  assert.deepEqual((await readReturnPathCounts(globalDatabase)).find(({ trunk }) => trunk === 'second')?.confirmed, 99)
})

test('the count of a removed trunk is dropped', async () => {
  assert.deepEqual(
    await addReturnPathCounts(globalDatabase, [{ trunk: 'gone', confirmed: 1, unconfirmed: 0 }], confirmedToEnforce),
    [],
  )
})

test('a trunk that allows relays is listed with a warning, unless it needs no ACK', async () => {
  await putTrunk(globalDatabase, { ...trunkDefaults, name: 'relay', channels: 1, callsPerSecond: 1 })
  const set = await cli.run('trunks', 'set', 'relay', '--allow-relay', 'on')
  const list = await cli.run('trunks', 'list')
  for (const { out } of [set, list]) assert.match(out, /WARNING: trunk relay .*--allow-relay off/)
  const overTcp = await cli.run('trunks', 'set', 'relay', '--transport', 'tcp')
  assert.doesNotMatch(overTcp.out, /WARNING/)
})
