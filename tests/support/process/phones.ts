// An installation that can call: a scripted phone network, a trunk, caller numbers for every code, prices, and its own
// prefix in the stack's NATS.

import { randomBytes } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Database } from '../../../server/src/db/core/database.ts'
import { insertPrice } from '../../../server/src/db/money/tariff.ts'
import { insertConfirmationNumber } from '../../../server/src/db/trunks/confirmation-number.ts'
import { insertCallerRange, putTrunk } from '../../../server/src/db/trunks/trunk.ts'
import type { MicroAmount } from '../../../server/src/domain/money/money.ts'
import { slotOfNth } from '../../../server/src/domain/trunks/confirmation-number.ts'
import { type Trunk, trunkDefaults } from '../../../server/src/domain/trunks/trunk.ts'
import { atEnd } from '../at-end.ts'
import type { TestDatabase } from '../database/test-database.ts'
import { ask } from '../http/ask.ts'
import { poll } from '../poll.ts'
import { stackSetting } from '../stack-settings.ts'
import { type Installation, install, type TestService } from './server.ts'

export const lookupPrice = 100_000 as MicroAmount
export const prices = { flash: 400_000, voice: 1_200_000, mix: 1_500_000, inbound: 300_000 } as const

// Each trunk has thirty-two of them, those of the second ten thousand higher; half of them in each of two databases.
export const confirmationFirst = 70000100001

// The address of the trunks; none in a scripted network.
export async function installPhones(
  timeScale: number,
  shards: 1 | 2 = 1,
  carrier: Partial<Trunk> = {},
  database?: TestDatabase,
): Promise<Installation> {
  const installation = await install(shards, database)
  const prefix = `test-${randomBytes(6).toString('hex')}`
  atEnd(() => deleteStreams(prefix))
  await putPhones(installation.slots.globalDatabase, carrier)
  return {
    ...installation,
    environment: {
      ...installation.environment,
      RINGPROOF_NATS_URL: stackSetting('RINGPROOF_NATS_URL'),
      RINGPROOF_NATS_PREFIX: prefix,
      RINGPROOF_SWITCH: 'fake',
      RINGPROOF_TIME_SCALE: String(timeScale),
      RINGPROOF_WEBHOOK_ALLOW: '127.0.0.0/8',
    },
  }
}

// Two trunks with their numbers, and prices.
export async function putPhones(globalDatabase: Database, carrier: Partial<Trunk> = {}): Promise<void> {
  for (const [priority, name] of ['first', 'second'].entries()) {
    await putTrunk(globalDatabase, {
      ...trunkDefaults,
      ...carrier,
      name,
      priority,
      channels: 1_000,
      callsPerSecond: 1_000,
    })
    const ahead = priority * 10_000
    for (let n = 0; n < 32; n++) {
      await insertConfirmationNumber(globalDatabase, confirmationFirst + ahead + n, name, slotOfNth(n))
    }
    await insertCallerRange(globalDatabase, {
      trunk: name,
      country: 'RU',
      first: 70000000000 + ahead,
      last: 70000009999 + ahead,
    })
    await insertCallerRange(globalDatabase, {
      trunk: name,
      country: 'KZ',
      first: 77000000000 + ahead,
      last: 77000009999 + ahead,
    })
  }
  const waiting = { method: 'inboundCallWaiting', mode: '', country: '*', validFrom: undefined } as const
  await insertPrice(globalDatabase, 'uni', { ...waiting, price: prices.inbound as MicroAmount })
  for (const country of ['RU', 'KZ']) {
    for (const mode of ['flash', 'voice', 'mix'] as const) {
      const price = prices[mode] as MicroAmount
      await insertPrice(globalDatabase, 'uni', { method: 'initCall', mode, country, price, validFrom: undefined })
    }
  }
  const lookup = { method: 'checkPhone', mode: '', country: '*', price: lookupPrice, validFrom: undefined } as const
  await insertPrice(globalDatabase, 'uni', lookup)
}

let serial = Math.floor(Math.random() * 5_000)

// A number with the given scenario that was not called before. Area code 907 is unassigned in Russia.
export function freshNumber(scenario: string): string {
  return `7907${String(serial++ % 10_000).padStart(4, '0')}${scenario}`
}

// The result of a verification, once it is final.
export async function settled(
  base: string,
  { bearer }: Pick<TestService, 'bearer'>,
  uid: unknown,
): Promise<Record<string, unknown>> {
  const getInfo = async () => (await ask(`${base}/v1.0/getInfo?uid=${String(uid)}`, { headers: bearer })).json
  return poll(`verification ${String(uid)} to end`, getInfo, (json) => json['call_status'] !== -1)
}

async function deleteStreams(prefix: string): Promise<void> {
  const { host, username, password } = new URL(stackSetting('RINGPROOF_NATS_URL'))
  const connection = await connect({ servers: host, user: username, pass: password })
  const manager = await jetstreamManager(connection)
  for (const { config } of await manager.streams.list().next()) {
    if (config.name.includes(`${prefix}-`)) await manager.streams.delete(config.name)
  }
  await connection.close()
}
