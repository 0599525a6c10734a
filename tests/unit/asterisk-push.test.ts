import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import type { AriRequest, AriResponse } from '../../server/src/telephony/asterisk/ari-connection.ts'
import { createTrunkPushes } from '../../server/src/telephony/asterisk/push.ts'

test('an object that Asterisk twice leaves unanswered waits, and the other trunks are pushed', async () => {
  const common = { ...trunkDefaults, channels: 1, callsPerSecond: 1 }
  let trunks: readonly Trunk[] = [
    { ...common, name: 'first', address: 'carrier.invalid' },
    { ...common, name: 'second', address: '192.0.2.1' },
  ]
  const pushes = createPushes(() => trunks)
  const put: string[] = []
  const request = async ({ method, path, body }: AriRequest): Promise<AriResponse> => {
    const [type, id] = path.split('/').slice(-2)
    if (method === 'PUT') put.push(`${type} ${id}`)
    if (type === 'identify' && method === 'PUT' && JSON.stringify(body).includes('carrier.invalid'))
      throw new Error('ARI connection lost')
    return { status: 200, body: path === 'endpoints/PJSIP' ? [] : { state: 'online' } }
  }
  for (const _ of [1, 2]) await assert.rejects(pushes.push(request), /connection lost/)
  assert(!put.some((object) => object.includes('second')))
  await pushes.push(request)
  assert.equal(put.filter((object) => object.includes('second')).length, 4)
  assert.equal(put.filter((object) => object === 'identify first_in').length, 2)
  const states = await pushes.states(request)
  assert.deepEqual([states.get('first')?.fault, states.get('second')?.isUp], ['refused-object', true])
  // It is tried again after a while, and at once when it has changed.
  for (let push = 1; push < 299; push++) await pushes.push(request)
  await assert.rejects(pushes.push(request), /connection lost/)
  trunks = trunks.map((trunk) => ({ ...trunk, address: '192.0.2.2' }))
  await pushes.push(request)
  assert.equal((await pushes.states(request)).get('first')?.isUp, true)
})

test('a push that broke off is repeated: what Asterisk may have taken is deleted first, because it merges fields', async () => {
  let trunk: Trunk = { ...trunkDefaults, name: 'first', address: '192.0.2.1', channels: 1, callsPerSecond: 1 }
  const pushes = createPushes(() => [trunk])
  const asked: string[] = []
  let isLost = true
  const request = async ({ method, path }: AriRequest): Promise<AriResponse> => {
    const [type, id] = path.split('/').slice(-2)
    if (method !== 'GET') asked.push(`${method} ${type} ${id}`)
    if (isLost && type === 'endpoint') throw new Error('ARI connection lost')
    return { status: 200, body: [] }
  }
  await assert.rejects(pushes.push(request), /connection lost/)
  assert.deepEqual(asked.splice(0), ['PUT aor first', 'PUT endpoint first'])
  isLost = false
  await pushes.push(request)
  const rest = ['PUT endpoint first', 'PUT endpoint first_in', 'PUT identify first_in']
  assert.deepEqual(asked.splice(0), ['DELETE endpoint first', ...rest])
  await pushes.push(request)
  assert.deepEqual(asked.splice(0), [])
  trunk = { ...trunk, isOn: false }
  await pushes.push(request)
  assert.equal(asked.length, 4)
})

function createPushes(trunks: () => readonly Trunk[]) {
  return createTrunkPushes({
    readRegistrations: async () => new Map(),
    isGuest: false,
    sipTransports: ['udp'],
    trunks,
    passwordOf: () => undefined,
    log: createLog({ write: () => undefined }),
  })
}
