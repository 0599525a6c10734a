// F15 to F18: two processes for one Asterisk, an Asterisk that dies or freezes, and carriers that do everything SIP allows.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Histories } from '../crash/histories.ts'
import { between, numberOf, one, type PlannedRequest } from '../crash/plan.ts'
import type { Fault, Site } from './case.ts'
import type { Measure } from './measures.ts'
import { losePackets } from './network.ts'
import { nemesis } from './process-faults.ts'

export const telephonyFaults: readonly Fault[] = [
  {
    id: 'F15',
    name: 'a second process takes over an Asterisk',
    loadMs: 12_000,
    strike: startRival,
  },
  {
    id: 'F16',
    name: 'Asterisk is killed during calls',
    loadMs: 10_000,
    strike: (site) => {
      const first = between(site.random, 0, 1)
      const acts = [first, 1 - first].map((nth) => ({
        act: 'kill' as const,
        victim: `asterisk-${nth}`,
        holdMs: between(site.random, 50, 700),
      }))
      return nemesis(site, acts)
    },
  },
  {
    id: 'F17',
    name: 'Asterisk is frozen for the scaled 20 s',
    loadMs: 10_000,
    strike: (site) =>
      nemesis(site, [{ act: 'pause', victim: `asterisk-${between(site.random, 0, 1)}`, holdMs: 4_000 }]),
  },
  {
    id: 'F18',
    name: 'carriers refuse, redirect, challenge, stay silent, answer after CANCEL, and lose a tenth of the packets',
    loadMs: 8_000,
    strike: strangeCarriers,
    measure: answeredAfterCancel,
  },
]

// It has the node's name; Asterisk lets go of the first, whose supervisor starts it again.
async function startRival({ apps, random, broken, volley }: Site): Promise<readonly Measure[]> {
  const app = one(random, apps)
  const rival = app.variant('calls', { RINGPROOF_HEP_PORT: String(between(random, 40_000, 49_999)) })
  volley('calls')
  await broken('rival', `calls-${app.nth}`, async () => {
    rival.start()
    await rival.ready()
    volley('calls')
    await sleep(between(random, 1_000, 3_000))
    await rival.kill()
    await app.role.calls.ready()
  })
  return []
}

const scenarios = [
  '000',
  '100',
  '180',
  '183',
  '200',
  '201',
  '287',
  '302',
  '401',
  '403',
  '404',
  '480',
  '484',
  '486',
  '503',
  '586',
]
const firstSerial = 6_000

async function strangeCarriers({ apps, random, send, broken }: Site): Promise<readonly Measure[]> {
  await broken('lose', 'packets', async () => {
    const undone = apps.map((app) => losePackets(app, app.asterisk.site.sipPort))
    for (const [index, scenario] of scenarios.entries()) {
      const requests = (['flash', 'voice'] as const).map((mode, nth): PlannedRequest => {
        const n = firstSerial + 2 * index + nth
        const service = one(random, ['red', 'green', 'blue'] as const)
        const call = {
          kind: 'flash',
          atMs: 0,
          api: between(random, 0, 1),
          node: 0,
          subscriberCalls: 0,
          receiverFailures: 0,
        } as const
        return { ...call, n, service, mode, phone: numberOf(n, scenario), unique: `strange-${n}` }
      })
      send(requests)
      await sleep(between(random, 200, 500))
    }
    await sleep(2_000)
    for (const undo of undone) undo()
  })
  return [{ what: 'kinds of carrier', value: scenarios.length }]
}

// Every call that was answered is ended by BYE.
function answeredAfterCancel({ carrier }: Histories): readonly Measure[] {
  const dialogs = Map.groupBy(
    carrier.filter((line) => line.type === 'dialog'),
    ({ callId }) => callId,
  )
  const open = [...dialogs.values()].filter((lines) => {
    const events = new Set(lines.map(({ event }) => event))
    return events.has('CANCEL') && events.has('200') && !events.has('BYE')
  })
  return [{ what: 'calls answered after CANCEL and left open', value: open.length, max: 0 }]
}
