// Traffic that was switched over between trunks, and what an operator can do about it.

import { pinSwitchOver, setSwitchOver, showSwitchOvers, takeBackSwitchOver } from '../../actions/trunks/switch-overs.ts'
import type { StoredSwitchOver } from '../../db/trunks/switch-over.ts'
import type { RingCount } from '../../domain/trunks/switch-over.ts'
import { Denial, UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'

export function addSwitchOverCommands(routes: CliCommand): void {
  routes
    .command('switch-overs')
    .description('List traffic that was moved to another trunk because a trunk rang fewer phones than usual.')
    .work(list)
  routes
    .command('take-back')
    .description('Return traffic to the order of the trunks. For an hour it is not moved again.')
    .argument('<id>', 'ID of the switch-over')
    .work(takeBack)
  routes
    .command('pin')
    .description('Keep traffic on the trunk that it was moved to, also when the other trunk has recovered.')
    .argument('<id>', 'ID of the switch-over')
    .work((open: DatabaseContext, id: string) => pin(open, id, true))
  routes
    .command('unpin')
    .description('Let pinned traffic return by itself once the other trunk has recovered.')
    .argument('<id>', 'ID of the switch-over')
    .work((open: DatabaseContext, id: string) => pin(open, id, false))
  routes
    .command('automation')
    .description('Switch the automatic switch-over on or off. Off, traffic returns, except what is pinned.')
    .argument('<on|off>', 'on or off')
    .work(setAutomation)
}

async function list(open: DatabaseContext): Promise<CommandResult> {
  const { isOn, switchOvers } = await showSwitchOvers(open)
  const state = isOn ? 'Automatic switch-over is on.' : 'Automatic switch-over is OFF: ringproof routes automation on'
  return {
    json: {
      is_on: isOn,
      switch_overs: switchOvers.map((one) => ({
        id: one.id,
        country: one.country,
        provider: one.provider,
        from: one.from,
        to: one.to,
        phase: one.phase,
        moved_at: timeOf(one.movedMs),
        from_count: one.fromCount,
        to_count: one.toCount,
        is_pinned: one.isPinned,
        is_paused: one.isPaused,
        ended_at: timeOf(one.endedMs),
        end_reason: one.reason,
      })),
    },
    text: [state, ...(switchOvers.length === 0 ? ['No traffic was moved.'] : switchOvers.map(sentenceOf))].join('\n'),
  }
}

async function takeBack(open: DatabaseContext, id: string): Promise<CommandResult> {
  const { from, to } = await known(takeBackSwitchOver(open, open.actor, { id: parseId(id) }))
  return { json: { from, to }, text: `Calls go over ${from} again. For an hour they are not moved to another trunk.` }
}

async function pin(open: DatabaseContext, id: string, isPinned: boolean): Promise<CommandResult> {
  const { from, to } = await known(pinSwitchOver(open, open.actor, { id: parseId(id), isPinned }))
  const text = isPinned
    ? `Calls stay on ${to} until you take them back.`
    : `Calls return to ${from} once it has recovered.`
  return { json: { from, to, is_pinned: isPinned }, text }
}

async function setAutomation(open: DatabaseContext, state: string): Promise<CommandResult> {
  if (state !== 'on' && state !== 'off') throw new UsageError(`Use on or off, not "${state}".`)
  const isChanged = await setSwitchOver(open, open.actor, { isOn: state === 'on' })
  const text = `Automatic switch-over is ${isChanged ? 'now' : 'already'} ${state}.`
  return { json: { is_on: state === 'on', is_changed: isChanged }, text }
}

export function sentenceOf({ id, country, provider, from, to, fromCount, toCount, ...one }: StoredSwitchOver): string {
  const what = `${id}: ${provider || 'unknown provider'} (${country})`
  const shares = `ring-through ${percentOf(fromCount)} against ${percentOf(toCount)}`
  const pinned = one.isPinned ? `, pinned${one.isPaused ? ' and paused' : ''}` : ''
  const ended = one.endedMs === null ? pinned : `; ended at ${timeOf(one.endedMs)}: ${one.reason}`
  return one.movedMs === null
    ? `${what}: tried ${to} instead of ${from} at ${timeOf(one.sinceMs)}: ring-through ${percentOf(fromCount)}${ended}`
    : `${what}: moved from ${from} to ${to} at ${timeOf(one.movedMs)}: ${shares}${ended}`
}

function percentOf({ dialled, rang }: RingCount): string {
  return dialled === 0 ? '–' : `${Math.round((rang / dialled) * 100)} %`
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

function parseId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`Not the ID of a switch-over: ${text}.`)
  return Number(text)
}

async function known<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Denial)) throw error
    throw new UsageError('No such switch-over is active. `ringproof routes switch-overs` lists them.')
  })
}
