import { confirmClock, readClocks } from '../../actions/installation/restores.ts'
import type { DatabaseClock } from '../../db/core/database-clock.ts'
import { daySeconds, hourSeconds } from '../../domain/values/time.ts'
import type { CliCommand, CommandResult, DatabaseContext } from './context.ts'

export function addIdCommands(program: CliCommand): void {
  program
    .command('ids')
    .description('Manage verification IDs. They start with a timestamp, so they need a correct clock.')
    .command('confirm-clock')
    .description(
      'Accept the PostgreSQL time after it jumped ahead by more than a day, or after the installation was off for that long. Until then no calls start. Without --yes only show the clocks.',
    )
    .option('--yes', 'confirm that the time shown is correct, and start calls again')
    .work(confirm)
}

async function confirm(open: DatabaseContext, options: { yes?: true }): Promise<CommandResult> {
  const clocks = options.yes ? await confirmClock(open) : await readClocks(open)
  const jumped = clocks.filter(({ isTrusted }) => !isTrusted)
  const lines = clocks.map((clock, index) => sentence(clock, clocks.length === 1 ? 'PostgreSQL' : `Database ${index}`))
  const isConfirmed = options.yes === true && jumped.length > 0
  return {
    json: { clocks, confirmed: isConfirmed },
    text: [...lines, conclusion(jumped.length > 0, isConfirmed)].join('\n'),
  }
}

function sentence({ now, leadSeconds }: DatabaseClock, name: string): string {
  const time = `${now.toISOString().slice(0, 19).replace('T', ' ')} UTC`
  // A lead of a few minutes is normal: housekeeping runs every ten minutes.
  if (leadSeconds >= 0)
    return `${name} says it is ${time}, ${duration(leadSeconds)} after it was last known to be running.`
  return `${name} says it is ${time}; its newest ID is ${duration(-leadSeconds)} ahead of that. New IDs stay ahead until the clock catches up.`
}

function conclusion(hasJumped: boolean, isConfirmed: boolean): string {
  if (isConfirmed) return 'Confirmed: calls start again.'
  if (!hasJumped) return 'That is less than a day: calls start normally, there is nothing to confirm.'
  return 'That is more than a day: no calls start. If the time is wrong, correct the clock. If it is right, run: ringproof ids confirm-clock --yes'
}

function duration(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / daySeconds),
    Math.floor(seconds / hourSeconds) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${seconds} s`
}
