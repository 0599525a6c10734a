// The table of a trunk's options: each option changes what its readers get, and nothing that others get.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import {
  type TrunkOption,
  type TrunkOptionName,
  trunkOptionNames,
  trunkOptions,
} from '@ringproof/contract/lists/trunk-options.ts'
import { type Trunk, trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { createClock } from '../../server/src/process/clock.ts'
import { inviteRequest } from '../../server/src/telephony/asterisk/invite.ts'
import { trunkObjects } from '../../server/src/telephony/asterisk/trunks.ts'
import { createEdgeCarriers } from '../../server/src/telephony/edge/carriers.ts'
import { createEdgeLeg } from '../../server/src/telephony/edge/leg.ts'
import { edgeCall } from '../../server/src/telephony/edge/messages.ts'
import type { Dial } from '../../server/src/telephony/switch.ts'

const trunk: Trunk = { ...trunkDefaults, name: 'carrier', address: '192.0.2.7', user: 'ringproof' }
const dial: Dial = {
  trunk: 'carrier',
  to: '79070000180',
  from: '70000000001',
  channelId: 'one',
  originateTimeoutMs: 20_000,
  flashRingMs: 5_000,
}

test('each option has a default that can be, its own flag and its own column', () => {
  const options: readonly TrunkOption[] = Object.values(trunkOptions)
  for (const option of options) {
    if (option.default === null || option.default === '') assert(option.absent !== undefined || option.kind === 'text')
    else if (option.kind === 'choice') assert(option.of.includes(option.default), option.column)
    else if (option.kind === 'whole') assert(option.default >= option.min && option.default <= option.max)
  }
  assert.equal(new Set(options.map(({ column }) => column)).size, options.length)
  assert.equal(
    new Set(trunkOptionNames.map((name) => (trunkOptions[name] as TrunkOption).flag ?? name)).size,
    options.length,
  )
})

for (const name of trunkOptionNames) {
  test(`who gets the option ${name}: ${trunkOptions[name].readBy.join(' and ') || 'nobody'}`, async () => {
    const changed = { ...trunk, [name]: otherValue(name) }
    const asterisk = (one: Trunk) => JSON.stringify(sentToAsterisk(one)).replaceAll(numberFor(one), 'NUMBER')
    const read = [
      ...(asterisk(changed) === asterisk(trunk) ? [] : ['asterisk']),
      ...((await sentToEdge(changed)) === (await sentToEdge(trunk)) ? [] : ['edge']),
    ]
    assert.deepEqual(read, trunkOptions[name].readBy)
  })
}

function otherValue(name: TrunkOptionName): unknown {
  const option: TrunkOption = trunkOptions[name]
  switch (option.kind) {
    case 'whole':
    case 'rate':
      return 7
    case 'text':
      return ['192.0.2.8', '77', 'customer'].find((text) => option.pattern.test(text) && text !== trunk[name])
    case 'choice':
      return option.of.find((word) => word !== trunk[name])
    case 'countries':
      return ['KZ']
    case 'switch':
      return !trunk[name]
  }
}

function sentToAsterisk(one: Trunk): unknown {
  return [trunkObjects(one, 'password'), inviteRequest('node', one, { ...dial, to: numberFor(one) })]
}

// A whole flash call whose carrier asks for the password, and the carriers that are announced.
async function sentToEdge(one: Trunk): Promise<string> {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const sent: string[] = []
  const leg = createEdgeLeg({
    call: edgeCall(one, { ...dial, to: numberFor(one) }, 'name'),
    password: 'password',
    ringMs: (one.ringSeconds ?? 5) * 1_000,
    via: '127.0.0.1:5060',
    edge: { boot: '1', contact: '127.0.0.1:5080' },
    clock: createClock(1),
    send: (text) => void sent.push(text),
    ended: () => undefined,
  })
  const text = 'SIP/2.0 401 Unauthorized\r\nWWW-Authenticate: Digest realm="carrier", nonce="1"\r\n\r\n'
  leg.onReply({ method: 'INVITE', status: 401, reason: '', callId: 'rp-name', sequence: 1, to: '', text })
  leg.end()
  const announced = Promise.withResolvers<readonly string[]>()
  const carriers = createEdgeCarriers({ trunks: () => [one], publish: announced.resolve, clock: createClock(1) })
  carriers.announce()
  const headers = await announced.promise
  carriers.close()
  mock.timers.reset()
  const texts = [...sent, ...headers.filter((header) => !header.startsWith('X-Edge-Nonce'))]
  // The digest covers the number.
  return texts
    .join('\n')
    .replaceAll(numberFor(one), 'NUMBER')
    .replaceAll(/response="\w+"/g, '')
}

// A test trunk carries calls to virtual phones only.
function numberFor({ isTest }: Trunk): string {
  return isTest ? '79000001000' : dial.to
}
