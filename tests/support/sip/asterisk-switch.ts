// The switch of this process, on top of a private Asterisk and, with --switch=edge, a private edge.

import assert from 'node:assert/strict'
import type { Trunk } from '../../../server/src/domain/trunks/trunk.ts'
import { type Clock, createClock } from '../../../server/src/process/clock.ts'
import { createLog } from '../../../server/src/process/log/log.ts'
import {
  type AsteriskDeps,
  type AsteriskSwitch,
  createAsterisk,
} from '../../../server/src/telephony/asterisk/asterisk.ts'
import { createCompositeSwitch } from '../../../server/src/telephony/composite-switch.ts'
import { createEdge } from '../../../server/src/telephony/edge/edge.ts'
import { edgeKeys } from '../../../server/src/telephony/edge/key.ts'
import { createSipCapture } from '../../../server/src/telephony/sip/capture.ts'
import { atEnd } from '../at-end.ts'
import type { TestAsterisk } from './asterisk.ts'

export const realClock: Clock = createClock(1)

export async function asteriskSwitch(
  { site, edge }: TestAsterisk,
  trunks: () => readonly Trunk[],
  more: Partial<AsteriskDeps> = {},
): Promise<AsteriskSwitch> {
  const capture = createSipCapture({ clock: realClock })
  const place = { host: '127.0.0.1', port: edge?.site.insidePort ?? 0 }
  const deps: AsteriskDeps = {
    url: `http://127.0.0.1:${site.ariPort}`,
    user: site.ariUser,
    password: site.ariPassword,
    node: site.node,
    isGuest: false,
    sipTransports: site.sipTransports,
    hepPort: site.hepPort,
    capture,
    edge: edge && place,
    callsPerSecond: 1_000,
    trunks,
    passwordOf: () => undefined,
    clock: realClock,
    log: createLog({ write: () => undefined }),
    failed: (why) => assert.fail(why),
    ...more,
  }
  const asterisk = createAsterisk(deps)
  const phones = edge
    ? createCompositeSwitch(asterisk, createEdge({ ...deps, ...place, keys: edgeKeys(deps.password) }), trunks)
    : asterisk
  atEnd(() => phones.close())
  await phones.opened
  return phones
}
