// What all customers read, from the command line.

import { severities } from '@ringproof/contract/lists/installation.ts'
import { endAnnouncement, listAnnouncements, postAnnouncement } from '../../actions/notices/announcements.ts'
import type { Announcement } from '../../db/notices/announcement.ts'
import { parseTimestamp } from '../../domain/values/time.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { table } from '../core/table.ts'

export function addAnnouncementCommands(program: CliCommand): void {
  const announcements = program
    .command('announcements')
    .description('Announce outages and maintenance in all dashboards and in /status.json.')
  announcements.command('list').description('List planned, current and past announcements, newest first.').work(list)
  announcements
    .command('post')
    .description('Show an announcement in all dashboards.')
    .requiredOption('--severity <severity>', severities.join(', '))
    .requiredOption('--en <text>', 'the text in English')
    .requiredOption('--ru <text>', 'the text in Russian')
    .option('--from <time>', 'start time, such as 2027-01-01T02:00; UTC unless an offset is given; default: now')
    .option('--until <time>', 'end time, in the same form; default: until it is ended')
    .option('--stop-calls', 'maintenance only: stop all calls until the announcement is ended')
    .work(post)
  announcements
    .command('end')
    .description('End an announcement before its time. Calls that it stopped start again.')
    .argument('<id>', 'ID of the announcement')
    .work(end)
}

async function list(open: DatabaseContext): Promise<CommandResult> {
  const announcements = await listAnnouncements(open)
  const rows = announcements.map((one) => [
    String(one.id),
    one.state,
    one.severity,
    one.from.toISOString(),
    (one.endedAt ?? one.until)?.toISOString() ?? '-',
    one.stopsCalls ? 'yes' : 'no',
    one.en,
  ])
  const heads = ['ID', 'STATE', 'SEVERITY', 'FROM', 'UNTIL', 'STOPS CALLS', 'TEXT']
  return {
    json: { announcements: announcements.map(shown) },
    text: rows.length === 0 ? 'Nothing was announced.' : table(heads, rows),
  }
}

type PostOptions = { severity: string; en: string; ru: string; from?: string; until?: string; stopCalls?: boolean }

async function post(open: DatabaseContext, options: PostOptions): Promise<CommandResult> {
  const severity = severities.find((one) => one === options.severity)
  if (!severity) throw new UsageError(`--severity takes ${severities.join(', ')}, not "${options.severity}".`)
  const posted = await postAnnouncement(open, open.actor, {
    severity,
    en: options.en,
    ru: options.ru,
    from: timeOf('--from', options.from),
    until: timeOf('--until', options.until),
    stopsCalls: options.stopCalls === true,
  })
  const stopped = posted.stopsCalls ? ' All calls are stopped until then.' : ''
  return {
    json: shown(posted),
    text: `Announcement ${posted.id} is ${posted.state}. End it with: ringproof announcements end ${posted.id}.${stopped}`,
  }
}

async function end(open: DatabaseContext, text: string): Promise<CommandResult> {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`Not the ID of an announcement: ${text}.`)
  const ended = await endAnnouncement(open, open.actor, { id: Number(text) })
  if (!ended)
    throw new UsageError(
      `No announcement ${text} is planned or current. \`ringproof announcements list\` shows all of them.`,
    )
  return {
    json: { ...shown(ended.announcement), is_resumed: ended.isResumed },
    text: `Announcement ${text} is ended.${ended.isResumed ? ' Calls start again.' : ''}`,
  }
}

function timeOf(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = parseTimestamp(text)
  if (!time) throw new UsageError(`${option} takes a date or time, such as 2027-01-01T02:00, not "${text}".`)
  return time
}

function shown({ id, state, severity, en, ru, from, until, endedAt, stopsCalls }: Announcement) {
  return {
    id,
    state,
    severity,
    text: { en, ru },
    from: from.toISOString(),
    until: until?.toISOString() ?? null,
    ended_at: endedAt?.toISOString() ?? null,
    stops_calls: stopsCalls,
  }
}
