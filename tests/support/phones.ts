// An installation that can call: a scripted phone network, a trunk, numbers for every code, prices, a prefix of its own in
// the stack's NATS.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { insertPrice } from '../../server/src/db/tariff.ts'
import { insertCallerRange, putTrunk } from '../../server/src/db/trunk.ts'
import type { MicroRoubles } from '../../server/src/domain/money.ts'
import { plainTrunk, type Trunk } from '../../server/src/domain/routing.ts'
import { ask } from './ask.ts'
import { atEnd } from './at-end.ts'
import { type Installation, install, type TestService } from './served.ts'
import { stackSetting } from './stack-settings.ts'

export const prices = { flash: 400_000, voice: 1_200_000, mix: 1_500_000 } as const

// Where the trunks lead to; in a scripted network, nowhere.
export async function installPhones(
  timeScale: number,
  shards: 1 | 2 = 1,
  carrier: Partial<Trunk> = {},
): Promise<Installation> {
  const installation = await install(shards)
  const prefix = `test-${randomBytes(6).toString('hex')}`
  atEnd(() => deleteStreams(prefix))
  const { home } = installation.slots
  for (const [position, name] of ['first', 'second'].entries()) {
    await putTrunk(home, { ...plainTrunk, ...carrier, name, position, channels: 1_000, callsPerSecond: 1_000 })
    const ahead = position * 10_000
    await insertCallerRange(home, { trunk: name, country: 'RU', first: 70000000000 + ahead, last: 70000009999 + ahead })
    await insertCallerRange(home, { trunk: name, country: 'KZ', first: 77000000000 + ahead, last: 77000009999 + ahead })
  }
  for (const country of ['RU', 'KZ']) {
    for (const mode of ['flash', 'voice', 'mix'] as const) {
      const price = prices[mode] as MicroRoubles
      await insertPrice(home, 'uni', { method: 'initCall', mode, country, price, validFrom: undefined })
    }
  }
  return {
    ...installation,
    environment: {
      ...installation.environment,
      RINGPROOF_NATS_URL: stackSetting('RINGPROOF_NATS_URL'),
      RINGPROOF_NATS_PREFIX: prefix,
      RINGPROOF_SWITCH: 'fake',
      RINGPROOF_TIME_SCALE: String(timeScale),
    },
  }
}

let serial = Math.floor(Math.random() * 5_000)

// A number of the wanted fate that nobody has called yet. The code 907 is given out to nobody in Russia.
export function freshNumber(fate: string): string {
  return `7907${String(serial++ % 10_000).padStart(4, '0')}${fate}`
}

// What became of a verification, once it has become something.
export async function settled(base: string, { bearer }: TestService, uid: unknown): Promise<Record<string, unknown>> {
  const startedMs = performance.now()
  for (;;) {
    const { json } = await ask(`${base}/v1.0/getInfo?uid=${String(uid)}`, { headers: bearer })
    if (json['call_status'] !== -1) return json
    // Asking without a pause would take the processor from the very calls that are waited for.
    await sleep(20)
    if (performance.now() - startedMs > 60_000) throw new Error(`verification ${String(uid)} has not ended in a minute`)
  }
}

async function deleteStreams(prefix: string): Promise<void> {
  const { host, username, password } = new URL(stackSetting('RINGPROOF_NATS_URL'))
  const connection = await connect({ servers: host, user: username, pass: password })
  const manager = await jetstreamManager(connection)
  for (const { config } of await manager.streams.list().next()) {
    if (config.name.startsWith(`${prefix}-`)) await manager.streams.delete(config.name)
  }
  await connection.close()
}
