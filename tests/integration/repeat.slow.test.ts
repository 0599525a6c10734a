// initRepeat, where a service has it on: two free repeats within five minutes, with the same code and number. Over one database
// and over two, where a number and its account may be in different ones.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setService } from '../../server/src/actions/accounts/services.ts'
import { auditLedger } from '../../server/src/actions/money/ledger.ts'
import { compatibilities } from '../../server/src/domain/accounts/service.ts'
import { slotOfVerification, type VerificationId } from '../../server/src/domain/core/slot.ts'
import { type Asked, ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { freshNumber, installPhones, settled } from '../support/process/phones.ts'
import { makeService, serve, type TestService } from '../support/process/server.ts'

// Calls have two seconds to start.
const timeScale = 0.2
const actor = { address: '127.0.0.1', userAgent: 'test' }

// All servers run before the first test is declared: servers end when the tests so far have.
const deployments = await Promise.all(
  ([1, 2] as const).map(async (shards) => {
    const installation = await installPhones(timeScale, shards)
    const { base } = await serve(installation)
    return { installation, base, where: `over ${shards === 1 ? 'one database' : 'two databases'}` }
  }),
)

for (const { installation, base, where } of deployments) {
  const { slots } = installation

  const repeat = (service: TestService, uid: unknown): Promise<Asked> =>
    ask(`${base}/v1.0/initRepeat?uid=${String(uid)}`, { headers: service.bearer })

  async function start(service: TestService, phone = freshNumber('180')): Promise<{ id: number; code: string }> {
    const { json } = await ask(`${base}/v1.0/initCall`, {
      method: 'POST',
      headers: service.bearer,
      body: { phone, client: 'user-17', code: '0417' },
    })
    assert.equal(json['status'], true, JSON.stringify(json))
    await settled(base, service, json['vendor_id'])
    return { id: Number(json['vendor_id']), code: String(json['code']) }
  }

  async function repeatableService(): Promise<TestService> {
    const service = await makeService(installation)
    await setService({ slots }, actor, { serviceId: service.serviceId, texts: compatibilities.ucaller })
    await poll(
      'the setting to take effect',
      async () => (await repeat(service, 1)).json['code'],
      (code) => code === 13,
    )
    return service
  }

  // Waits out the cooldown: the refusal that it gives is not the one that these tests are about.
  const repeatAfterCooldown = (service: TestService, uid: number): Promise<Asked> =>
    poll(
      'the cooldown to end',
      () => repeat(service, uid),
      ({ json }) => json['code'] !== 19,
    )
  const info = async (service: TestService, uid: unknown) =>
    (await ask(`${base}/v1.0/getInfo?uid=${String(uid)}`, { headers: service.bearer })).json

  test(`two repeats are free, have the same code and number, and the third gets code 12, ${where}`, async () => {
    const service = await repeatableService()
    const first = await start(service)
    const fresh = await info(service, first.id)
    assert.deepEqual([fresh['is_repeated'], fresh['repeatable'], fresh['repeat_times']], [false, true, 2])
    assert(!('first_vendor_id' in fresh) && !('repeated_vendor_ids' in fresh))
    const balance = async () => (await ask(`${base}/v1.0/getBalance`, { headers: service.bearer })).json['rub_balance']
    const before = await balance()
    const ids: unknown[] = []
    for (const left of [1, 0]) {
      const { json } = await repeatAfterCooldown(service, first.id)
      assert.deepEqual([json['status'], json['free_repeated'], json['code']], [true, true, '0417'])
      assert.deepEqual([json['client'], json['phone']], ['user-17', fresh['phone']])
      assert.equal(json['ucaller_id'], json['vendor_id'])
      ids.push(json['vendor_id'])
      const repeated = await settled(base, service, json['vendor_id'])
      assert.deepEqual([repeated['call_status'], repeated['cost'], repeated['is_repeated']], [1, 0, true])
      assert.deepEqual([repeated['first_vendor_id'], repeated['repeatable']], [first.id, false])
      const after = await info(service, first.id)
      assert.deepEqual(after['repeated_vendor_ids'], ids)
      assert.deepEqual([after['repeatable'], after['repeat_times']], left === 0 ? [false, undefined] : [true, left])
    }
    assert.equal((await repeatAfterCooldown(service, first.id)).json['code'], 12)
    assert.equal((await repeat(service, ids[0])).json['code'], 13, 'a repeat cannot be repeated')
    assert.equal(await balance(), before)
    assert.deepEqual((await auditLedger(installation)).faults, [])
  })

  test(`of ten repeats at once exactly one is accepted per cooldown, ${where}`, async () => {
    const service = await repeatableService()
    for (const phone of [freshNumber('180'), '79000000001']) {
      const first = await start(service, phone)
      if (phone !== '79000000001') await cooldownOver(first.id)
      const all = await Promise.all(Array.from({ length: 10 }, () => repeat(service, first.id)))
      const accepted = all.filter(({ json }) => json['status'] === true)
      // Test numbers have no cooldown, so both repeats may be accepted, and no third. On a slow machine ten requests may take
      // longer than a scaled cooldown, and then another is accepted after it.
      if (phone === '79000000001') assert.equal(accepted.length, 2)
      else assert.equal(await tooSoon(service.serviceId), 0)
      assert(accepted.length > 0)
      for (const { json } of all) {
        if (json['status'] !== true) assert([12, 13, 19].includes(Number(json['code'])), JSON.stringify(json))
      }
    }
  })

  // How many calls of a service were accepted within the cooldown of another one, by the clock that decided: an account in another
  // database writes its acceptance later.
  async function tooSoon(serviceId: number): Promise<number> {
    const counts = slots.databases.map(async (database) => {
      const { rows } = await database.query<{ count: number }>(
        `SELECT count(*)::integer FROM (
           SELECT call.at - lag(call.at) OVER (ORDER BY call.at) AS gap
           FROM subscriber_numbers, unnest(call_at, call_service) AS call(at, service) WHERE call.service = $1
         ) AS gaps WHERE gap < number_cooldown($2)`,
        [serviceId, timeScale],
      )
      return rows[0]?.count ?? 0
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }

  // The cooldown counts from the acceptance of the last call: wait until the database says that it is over.
  async function cooldownOver(id: number): Promise<void> {
    await poll('the cooldown to end', async () => {
      const { rows } = await slots
        .databaseOf(slotOfVerification(id as VerificationId))
        .query<{ over: boolean }>(
          'SELECT clock_timestamp() > accepted_at + number_cooldown($2) AS over FROM verifications WHERE id = $1',
          [id, timeScale],
        )
      return rows[0]?.over === true
    })
  }

  // Moves the call to the time at which its repeats end.
  async function endWindow(id: number): Promise<void> {
    const { rowCount } = await slots
      .databaseOf(slotOfVerification(id as VerificationId))
      .query('UPDATE verifications SET accepted_at = accepted_at - repeat_window($2) WHERE id = $1', [id, timeScale])
    assert.equal(rowCount, 1)
  }

  test(`a repeat is refused: unknown, foreign, inbound, in progress, too late, switched off, ${where}`, async () => {
    const service = await repeatableService()
    const other = await repeatableService()
    const { id } = await start(service)
    assert.deepEqual(
      [(await repeat(service, 1)).text, (await repeat(other, id)).text].map((text) => JSON.parse(text).code),
      [13, 13],
    )
    const wait = await ask(`${base}/v1.0/inboundCallWaiting`, {
      method: 'POST',
      headers: service.bearer,
      body: { phone: '79000000002', callback_url: 'https://shop.example/hook' },
    })
    assert.equal((await repeat(service, wait.json['vendor_id'])).json['code'], 13)
    const { json } = await ask(`${base}/v1.0/initCall`, {
      method: 'POST',
      headers: service.bearer,
      body: { phone: freshNumber('180') },
    })
    const tooEarly = await repeat(service, json['vendor_id'])
    assert.equal(tooEarly.json['code'], 19, 'it is still in progress')
    assert(Number(tooEarly.headers.get('retry-after')) >= 1)
    assert.equal((await info(service, id))['repeatable'], true)
    await endWindow(id)
    assert.equal((await info(service, id))['repeatable'], false)
    assert.equal((await repeat(service, id)).json['code'], 11)

    await setService({ slots }, actor, {
      serviceId: service.serviceId,
      texts: { repeats: 'off', 'status-style': 'class' },
    })
    const off = await poll(
      'the setting to take effect',
      () => repeat(service, id),
      ({ status }) => status === 405,
    )
    assert.equal(off.json['code'], 405)
    assert.deepEqual([off.headers.has('allow'), off.headers.has('sunset')], [false, true])
  })
}
