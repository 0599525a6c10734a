// The events of a call to every number of the scripted network, and its specified outcome. Every switch must produce
// the same: the switch in memory, and Asterisk with a carrier that plays this table.

import { type CallMode, callModes } from '@ringproof/contract/methods.ts'
import { type CallProgress, outcomeOf } from '../../../server/src/domain/verifications/call-outcome.ts'
import { type OutgoingCall, placeCall } from '../../../server/src/engine/trunks/place-call.ts'
import type { Clock } from '../../../server/src/process/clock.ts'
import type { Switch } from '../../../server/src/telephony/switch.ts'

// Consecutive scenarios may share one outcome; `183c` is 183 over a trunk that counts early media as ringing.
const tableText = `
scenario                                         next-trunk  flash                   voice                 mix
180                                          no          succeeded:rang               failed:not-answered   succeeded:rang
183                                          no          failed:announcement     failed:announcement   failed:announcement
183c                                         no          succeeded:rang               failed:announcement   succeeded:rang
200                                          no          succeeded:rang               succeeded:spoken           succeeded:rang
299                                          no          succeeded:rang               failed:hung-up-early  succeeded:rang
586,580                                      no          succeeded:rang               failed:not-answered   succeeded:rang
581                                          no          failed:broke-off        failed:not-answered   failed:broke-off
201                                          no          failed:answered-unseen  succeeded:spoken           failed:answered-unseen
401,403,407,488,500,501,502,503,504          yes         failed:refused          failed:refused        failed:refused
302,400,404,408,410,480,484,486,487,505,599  no          failed:refused          failed:refused        failed:refused
600,603,604,607,608                          no          failed:refused          failed:refused        failed:refused
123,202,301,777                              no          failed:refused          failed:refused        failed:refused
100                                          no          failed:no-ringing       failed:no-ringing     failed:no-ringing
000                                          yes         failed:silence          failed:silence        failed:silence
`

export type CallScenario = {
  readonly scenario: string
  readonly mode: CallMode
  readonly countsEarlyMedia: boolean
  readonly succeeded: boolean
  readonly reason: string
  readonly mayTryNextTrunk: boolean
}

export const callScenarios: readonly CallScenario[] = readTable(tableText)

export const ringMs = 5_000
export const callDeadlineMs = 55_000
const answerMs = 25_000
const ringTimeoutMs = 20_000

// How late a real network may be.
const lateMs = 1_000

// Where a switch calls from; each has its own trunks and numbers.
export type CallSide = {
  readonly trunk: string
  readonly from: string
  readonly prefix: string
  // Whether the edge may end a flash call, too: it counts from its 180, which this process may read late.
  readonly isTimedByEdge?: boolean
}
const inMemory: CallSide = { trunk: 'scripted', from: '74950000000', prefix: '79000000' }

// Calls every scenario in every mode, concurrently, and returns the deviations.
export async function callFaults(network: Switch, clock: Clock, side: CallSide = inMemory): Promise<string[]> {
  const faults = await Promise.all(callScenarios.map((expected) => faultsOf(network, clock, expected, side)))
  return faults.flat()
}

export function callTo(scenario: string, mode: CallMode, side: CallSide = inMemory): OutgoingCall {
  const channelId = `${scenario}-${mode}`
  const to = `${side.prefix}${scenario}`
  const { trunk, from } = side
  return {
    channelId,
    trunk,
    to,
    from,
    mode,
    code: '4821',
    language: 'ru',
    ringMs,
    countsEarlyMedia: false,
    callDeadlineMs,
  }
}

async function faultsOf(network: Switch, clock: Clock, expected: CallScenario, side: CallSide): Promise<string[]> {
  const { scenario, mode, countsEarlyMedia } = expected
  const call = {
    ...callTo(scenario, mode, side),
    channelId: `${scenario}-${mode}-${countsEarlyMedia}`,
    countsEarlyMedia,
  }
  const placed = placeCall({ switch: network, clock }, call)
  const [rang, progress] = await Promise.all([placed.rang, placed.progress])
  const ringAtMs = progress.rangAtMs ?? (countsEarlyMedia ? progress.earlyMediaAtMs : undefined)
  const faults = timeFaults(mode, progress, ringAtMs, side)
  const decision = said(outcomeOf(mode, progress, countsEarlyMedia))
  if (decision !== said(expected)) faults.push(`it came to ${decision}, not ${said(expected)}`)
  if (rang !== (ringAtMs !== undefined)) faults.push(`rang was ${rang}`)
  return faults.map((fault) => `${scenario}${countsEarlyMedia ? 'c' : ''} ${mode}: ${fault}`)
}

function said({
  succeeded,
  reason,
  mayTryNextTrunk,
}: Pick<CallScenario, 'succeeded' | 'reason' | 'mayTryNextTrunk'>): string {
  return `${succeeded ? 'succeeded' : 'failed'}:${reason}${mayTryNextTrunk ? ', next trunk' : ''}`
}

function timeFaults(
  mode: CallMode,
  progress: CallProgress,
  ringAtMs: number | undefined,
  { isTimedByEdge = false }: CallSide,
): string[] {
  const { earlyMediaAtMs, answeredAtMs, spokenAtMs, endedAtMs, endedBy } = progress
  const faults: string[] = []
  const check = (isRight: boolean, fault: string) => {
    if (!isRight) faults.push(`${fault}: ${JSON.stringify(progress)}`)
  }
  const receivedAtMs = ringAtMs ?? earlyMediaAtMs
  const moments = [0, receivedAtMs, answeredAtMs, spokenAtMs, endedAtMs].filter((moment) => moment !== undefined)
  check(moments.join() === moments.toSorted((one, other) => one - other).join(), 'its moments are not in order')
  check(moments.every(Number.isInteger), 'its moments are not whole milliseconds')
  if (mode === 'flash') {
    check(spokenAtMs === undefined, 'a flash call spoke')
    check(answeredAtMs === undefined || endedAtMs - answeredAtMs <= 1_000, 'an answered flash call went on')
  } else if (answeredAtMs !== undefined && endedBy === 'us') {
    check(endedAtMs - (spokenAtMs ?? endedAtMs) >= 1_000, 'the code was not spoken twice')
  }
  if (answeredAtMs === undefined && endedBy === 'us') {
    const limitMs = ringAtMs === undefined ? ringTimeoutMs : mode === 'flash' ? ringMs : answerMs
    const waitedMs = endedAtMs - (ringAtMs ?? 0)
    const earliestMs = isTimedByEdge && mode === 'flash' ? 0 : (ringAtMs ?? 0)
    check(endedAtMs - earliestMs >= limitMs, 'we hung up too early')
    check(waitedMs <= limitMs + lateMs, 'we hung up too late')
  }
  return faults
}

function readTable(text: string): CallScenario[] {
  const [header = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
  return rows.flatMap((cells) => {
    const cell = (name: string) => cells[header.indexOf(name)] ?? ''
    const names = cell('scenario').split(',')
    return names.flatMap((name) =>
      callModes.map((mode) => {
        const [succeeded, reason = ''] = cell(mode).split(':')
        return {
          scenario: name.slice(0, 3),
          mode,
          countsEarlyMedia: name.endsWith('c'),
          succeeded: succeeded === 'succeeded',
          reason,
          mayTryNextTrunk: cell('next-trunk') === 'yes',
        }
      }),
    )
  })
}
