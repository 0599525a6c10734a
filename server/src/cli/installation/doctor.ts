// Examines the installation and prints one line per finding. Scripts use --json and the exit code: 1 if anything is bad.

import { findingLevels } from '@ringproof/contract/lists/installation.ts'
import type { Command } from 'commander'
import { examineInstallation } from '../../actions/installation/examine-installation.ts'
import { createSlotMap } from '../../db/core/slot-map.ts'
import { bad, type Finding, type Level } from '../../domain/installation/finding.ts'
import { createClock } from '../../process/clock.ts'
import type { Config } from '../../process/config/config.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliContext } from '../core/context.ts'

// Shorter than the limit of a check, so that closing never waits for a query.
const deadlines = { statementMs: 3_000, responseMs: 4_000 }

export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('Check the installation: servers, trunks, numbers, keys, certificates, backups. Changes nothing.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      const findings = await examineAll(context)
      context.say(options.json ? JSON.stringify({ ...countByLevel(findings), findings }) : textOf(findings))
      if (findings.some(({ level }) => level === 'bad')) context.exitWith(1)
    })
}

async function examineAll(context: CliContext): Promise<readonly Finding[]> {
  let config: Config
  try {
    config = context.readConfig()
  } catch (error) {
    if (error instanceof UsageError) return settingMistakes(error)
    throw error
  }
  // Real time: the limits are for servers, not for calls.
  const clock = createClock(1)
  const slots = createSlotMap(config.slotUrls, deadlines, 'operator')
  try {
    const probes = await context.installationProbes(config, clock)
    return await examineInstallation({ config, slots, clock, probes })
  } finally {
    await slots.close()
  }
}

// One finding for each line of the error.
function settingMistakes({ message }: UsageError): readonly Finding[] {
  const [, ...mistakes] = message.split('\n').map((line) => line.trim())
  return mistakes.map((mistake) => {
    const [name = ''] = mistake.split(':')
    return bad('settings', name, `${mistake}.`, `set ${name} as config.default.env describes it`)
  })
}

function textOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.map(({ check, subject, level, cause, fix }) => {
    const about = subject === '' ? cause : `${subject}: ${cause}`
    return `${marks[level]}  ${check.padEnd(width)}  ${about}${fix === undefined ? '' : ` Fix: ${fix}`}`
  })
  const { good, warning, bad: faults } = countByLevel(findings)
  return [...lines, '', `${good} good, ${warning} warnings, ${faults} bad.`].join('\n')
}

// All of one width, and the more serious ones stand out.
const marks: Readonly<Record<Level, string>> = { good: 'good   ', warning: 'WARNING', bad: 'BAD    ' }

function countByLevel(findings: readonly Finding[]): Readonly<Record<Level, number>> {
  const counts = findingLevels.map((level) => [level, findings.filter((finding) => finding.level === level).length])
  return Object.fromEntries(counts) as Record<Level, number>
}
