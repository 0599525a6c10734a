// Test calls from the console: the process that serves the page asks over NATS, one process with a switch places the call and
// writes its progress to the database while it lasts. Not stored in NATS: a test that nobody places now is of no use later.

import type { Msg } from '@nats-io/transport-node'
import type { DispatchTrunkTest } from '../../actions/trunks/trunk-tests.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { endTrunkTest, noteTestProgress, readTrunkTest } from '../../db/trunks/trunk-test.ts'
import { type KeyRing, unseal } from '../../domain/crypto/sealing.ts'
import type { Trunk } from '../../domain/trunks/trunk.ts'
import { outcomeOf } from '../../domain/verifications/call-outcome.ts'
import { callDeadlineMs } from '../../domain/verifications/verification.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { AsteriskSwitch } from '../../telephony/asterisk/asterisk.ts'
import type { Bus } from '../core/bus.ts'
import { requestReply } from '../core/request-reply.ts'
import { placeCall } from './place-call.ts'

const acceptTimeoutMs = 3_000
const progressMs = 250
// A new trunk reaches every node within two seconds.
const loadMs = 5_000

export function createTrunkTestDispatch(bus: Pick<Bus, 'connection' | 'names' | 'isUp'>): DispatchTrunkTest {
  return async (test) => {
    const reply = await requestReply(bus, bus.names.trunkTestSubject, test, acceptTimeoutMs)
    return reply !== undefined
  }
}

export const noTrunkTests: DispatchTrunkTest = async () => false

type TrunkTestDeps = {
  readonly bus: Pick<Bus, 'connection' | 'names'>
  readonly slots: SlotMap
  readonly switch: AsteriskSwitch
  readonly routing: () => { readonly trunks: readonly Trunk[] }
  readonly keys: { readonly sealRecords: KeyRing }
  readonly flashRingSeconds: number
  readonly clock: Clock
  readonly log: Logger
}

export function serveTrunkTests(deps: TrunkTestDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  const place = async (message: Msg) => {
    message.respond('{}')
    const { id, sealedPhone } = message.json<{ id: number; sealedPhone: string }>()
    try {
      await placeTest(deps, id, sealedPhone, closing.signal)
    } catch (err) {
      deps.log.warn({ err }, 'trunk test failed')
    }
  }
  const callback = (error: Error | null, message: Msg) => {
    if (!error) follow(running, place(message))
  }
  const { connection, names } = deps.bus
  const subscription = connection.subscribe(names.trunkTestSubject, { queue: 'trunk-tests', callback })
  return {
    close: async () => {
      subscription.unsubscribe()
      closing.abort()
      await Promise.all(running)
    },
  }
}

function follow(running: Set<Promise<void>>, run: Promise<void>): void {
  const followed = run.finally(() => running.delete(followed))
  running.add(followed)
}

async function placeTest(deps: TrunkTestDeps, id: number, sealedPhone: string, closing: AbortSignal): Promise<void> {
  const { slots, clock } = deps
  const { globalDatabase } = slots
  const test = await readTrunkTest(globalDatabase, id)
  const trunk = test && (await loaded(deps, test.trunk, closing))
  const nothing = { id, rangAfterMs: null, messages: [], status: null }
  if (!test || !trunk || !deps.switch.isReady()) {
    return endTrunkTest(globalDatabase, { ...nothing, outcome: trunk ? 'not-ready' : 'not-loaded' })
  }
  const placed = placeCall(deps, {
    channelId: `test-${id}`,
    trunk: trunk.name,
    to: unseal(deps.keys.sealRecords, 'trunk-test', id, Buffer.from(sealedPhone, 'base64')),
    from: String(test.callerNumber),
    mode: 'flash',
    code: '',
    language: 'ru',
    ringMs: (trunk.ringSeconds ?? deps.flashRingSeconds) * 1_000,
    countsEarlyMedia: trunk.countsEarlyMedia,
    callDeadlineMs,
  })
  const startedMs = clock.monotonicMs()
  let rangAfterMs: number | null = null
  const noteRinging = async () => {
    if (await placed.rang) rangAfterMs = Math.round(clock.monotonicMs() - startedMs)
  }
  const ringing = noteRinging()
  const over = new AbortController()
  const watching = writeProgress(deps, over.signal, () => ({ id, rangAfterMs, messages: placed.messagesSoFar() }))
  const progress = await placed.progress
  const messages = await placed.messages()
  over.abort()
  await Promise.all([ringing, watching])
  const { reason: outcome } = outcomeOf('flash', progress, trunk.countsEarlyMedia)
  await endTrunkTest(globalDatabase, { id, rangAfterMs, messages, outcome, status: progress.status ?? null })
}

// Undefined if Asterisk does not get to know it.
async function loaded({ routing, switch: phones, clock }: TrunkTestDeps, name: string, closing: AbortSignal) {
  for (const startedMs = clock.monotonicMs(); clock.monotonicMs() - startedMs < loadMs && !closing.aborted; ) {
    const trunk = routing().trunks.find((one) => one.name === name && one.isOn)
    const state = trunk && (await phones.trunkStates()).get(name)
    // A scripted network has no states.
    if (trunk && (trunk.address === '' || (state && state.fault !== 'unknown'))) return trunk
    await clock.sleep(progressMs, closing)
  }
  return undefined
}

type Progress = Parameters<typeof noteTestProgress>[1]

async function writeProgress({ slots, clock }: TrunkTestDeps, over: AbortSignal, read: () => Progress): Promise<void> {
  let written = ''
  while (!over.aborted) {
    const progress = read()
    const text = JSON.stringify(progress)
    if (text !== written) await noteTestProgress(slots.globalDatabase, progress).catch(() => undefined)
    written = text
    await clock.sleep(progressMs, over)
  }
}
