// Backups are made by pgBackRest; here is what an operator asks about them, and what follows a restore.

import {
  finishRestore,
  listBackups,
  readDestroyedKeys,
  readNewestMoments,
  type StanzaBackups,
} from '../../actions/installation/restores.ts'
import type { FinishedRestore } from '../../db/installation/restore.ts'
import { unknownBackup } from '../../domain/installation/backup.ts'
import { counted } from '../../domain/installation/finding.ts'
import { createClock } from '../../process/clock.ts'
import type { CliCommand, CliContext, CommandResult, DatabaseContext } from '../core/context.ts'
import { table } from '../core/table.ts'

export function addBackupCommands(program: CliCommand, context: CliContext): void {
  const backup = program.command('backup').description('Show backups, and finish a restore.')

  backup
    .command('status')
    .description('List the backups of every stanza in RINGPROOF_BACKUP_STANZAS. Exits with 1 if one is missing or old.')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => showStatus(context, options.json === true))

  backup
    .command('finish-restore')
    .description(
      'Run once after every restore, before the servers start: ends calls and sessions of the moment restored to, and skips IDs that may have been given out after it. Without --yes only show that moment.',
    )
    .option('--yes', 'finish the restore')
    // Keys may have been added and destroyed since the moment restored to: the action compares them.
    .work(finish, async () => undefined)
}

async function showStatus(context: CliContext, json: boolean): Promise<void> {
  const config = context.readConfig()
  // Real time: backups do not follow the time scale of calls.
  const clock = createClock(1)
  const stanzas = await listBackups({ config, clock, probes: await context.installationProbes(config, clock) })
  const nowMs = clock.timeOfDayMs()
  if (json) context.say(JSON.stringify({ stanzas: stanzas.map((stanza) => jsonOf(stanza, nowMs)) }))
  else context.say(stanzas.length === 0 ? `${unknownBackup.cause} Fix: ${unknownBackup.fix}` : textOf(stanzas))
  if (stanzas.length === 0 || stanzas.some(({ finding }) => finding.level === 'bad')) context.exitWith(1)
}

function jsonOf({ stanza, backups, finding: { level, cause, fix } }: StanzaBackups, nowMs: number) {
  const newest = backups.at(-1)
  return {
    stanza,
    level,
    cause,
    fix: fix ?? null,
    age_seconds: newest === undefined ? null : Math.round((nowMs - newest.endedMs) / 1_000),
    backups: backups.map(({ label, type, endedMs, bytes }) => ({ label, type, ended: isoOf(endedMs), bytes })),
  }
}

function textOf(stanzas: readonly StanzaBackups[]): string {
  const rows = stanzas.flatMap(({ stanza, backups }) =>
    backups.map(({ label, type, endedMs, bytes }) => [
      stanza,
      type,
      secondOf(endedMs),
      (bytes / 1e6).toFixed(1),
      label,
    ]),
  )
  const sentences = stanzas.map(
    ({ stanza, finding: { cause, fix } }) => `${stanza}: ${cause}${fix === undefined ? '' : ` Fix: ${fix}`}`,
  )
  return [
    ...(rows.length === 0 ? [] : [table(['STANZA', 'TYPE', 'ENDED', 'MB', 'LABEL'], rows), '']),
    ...sentences,
  ].join('\n')
}

async function finish(open: DatabaseContext, options: { yes?: true }): Promise<CommandResult> {
  if (!options.yes) return showMoments(open)
  const destroyed = await readDestroyedKeys(open)
  const restores = await finishRestore(open, open.actor)
  return {
    json: {
      restores: restores.map(({ restoredTo, finishedAt, calls, sessions }) => ({
        restored_to: restoredTo.toISOString(),
        finished: finishedAt.toISOString(),
        calls,
        sessions,
      })),
      keys_destroyed: destroyed,
    },
    text: [...restores.map(sentenceOf(restores.length)), ...unreadable(destroyed), lostSince].join('\n'),
  }
}

// As far as each database knows, and nothing is changed.
async function showMoments(open: DatabaseContext): Promise<CommandResult> {
  const moments = (await readNewestMoments(open)).map((moment) => moment.getTime())
  const lines = moments.map(
    (moment, at) => `${nameOf(at, moments.length)} knows of nothing after ${secondOf(moment)} UTC.`,
  )
  const destroyed = await readDestroyedKeys(open)
  return {
    json: { restored_to: moments.map(isoOf), keys_destroyed: destroyed },
    text: [
      ...lines,
      ...unreadable(destroyed),
      'If that is the moment restored to, run: ringproof backup finish-restore --yes',
    ].join('\n'),
  }
}

function sentenceOf(count: number): (restore: FinishedRestore, at: number) => string {
  return ({ restoredTo, calls, sessions }, at) =>
    `${nameOf(at, count)} is restored to ${secondOf(restoredTo.getTime())} UTC: ${ends(calls, 'active call')}, ${ends(sessions, 'session')}.`
}

const lostSince =
  'Lost since then, and to be done again by hand: payments, keys revoked and created, blocks, opt-outs, erased numbers, settings. See docs/operations/backup.md.'

function unreadable(destroyed: readonly string[]): readonly string[] {
  return destroyed.length === 0
    ? []
    : [
        `What was sealed with ${destroyed.join(', ')} stays unreadable: it was destroyed after that moment, or is missing here.`,
      ]
}

function nameOf(at: number, count: number): string {
  return count === 1 ? 'The database' : `Database ${at}`
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

function secondOf(ms: number): string {
  return isoOf(ms).slice(0, 19).replace('T', ' ')
}

function ends(count: number, noun: string): string {
  return count === 0 ? `no ${noun} ends` : `${counted(count, noun)} ${count === 1 ? 'ends' : 'end'}`
}
