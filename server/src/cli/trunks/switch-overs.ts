// Traffic that was switched over between trunks. The console decides about a single switch-over, beside its figures.

import { setSwitchOver, showSwitchOvers } from '../../actions/trunks/switch-overs.ts'
import type { StoredSwitchOver } from '../../db/trunks/switch-over.ts'
import type { RingCount } from '../../domain/trunks/switch-over.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'

export function addSwitchOverCommands(routes: CliCommand): void {
  routes
    .command('switch-overs')
    .description('List traffic that was moved to another trunk because a trunk rang fewer phones than usual.')
    .work(list)
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
