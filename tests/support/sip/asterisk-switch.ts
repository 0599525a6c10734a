// The switch of this process, on top of a private Asterisk.

import assert from 'node:assert/strict'
import { type Clock, createClock } from '../../../server/src/clock.ts'
import type { Trunk } from '../../../server/src/domain/trunks/trunk.ts'
import { createLog } from '../../../server/src/log.ts'
import { type AsteriskDeps, type AsteriskSwitch, createAsterisk } from '../../../server/src/telephony/asterisk.ts'
import { atEnd } from '../at-end.ts'
import type { TestAsterisk } from './asterisk.ts'

export const realClock: Clock = createClock(1)

export async function asteriskSwitch(
  { site }: TestAsterisk,
  trunks: () => readonly Trunk[],
  more: Partial<AsteriskDeps> = {},
): Promise<AsteriskSwitch> {
  const phones = createAsterisk({
    url: `http://127.0.0.1:${site.ariPort}`,
    user: site.ariUser,
    password: site.ariPassword,
    node: site.node,
    isGuest: false,
    sipTransports: site.sipTransports,
    hepPort: site.hepPort,
    keepsMessages: true,
    callsPerSecond: 1_000,
    trunks,
    passwordOf: () => undefined,
    clock: realClock,
    log: createLog({ write: () => undefined }),
    failed: (why) => assert.fail(why),
    ...more,
  })
  atEnd(() => phones.close())
  await phones.opened
  return phones
}
