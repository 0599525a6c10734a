// Shows the numbering data in use, and what it says about one number.

import type { NumberingStatus, NumberLookup } from '../../domain/numbers/numbering-report.ts'
import { parseNational } from '../../domain/numbers/phone-number.ts'
import { UsageError } from '../../process/errors.ts'
import type { CommandResult, NumberingTools } from '../core/context.ts'
import { table } from '../core/table.ts'

type Numbering = Pick<NumberingTools, 'numberingStatus' | 'lookUpNumber'> & { readonly dir: string }

export async function status(
  open: Numbering,
): Promise<CommandResult & { readonly json: Readonly<Record<string, unknown>> }> {
  const now = await open.numberingStatus(open.dir)
  const importedAt = now.importedAtMs === undefined ? null : new Date(now.importedAtMs).toISOString()
  return {
    json: {
      version: now.version,
      imported_at: importedAt,
      registries: now.registries,
      ported: now.ported ? { ...now.ported, as_of: now.ported.asOf, asOf: undefined } : null,
      changes: now.changes ? { changes: now.changes.changes, as_of: now.changes.asOf } : null,
      can_roll_back: now.previousVersion !== undefined,
      fetched_at: now.fetchedAtMs === undefined ? null : new Date(now.fetchedAtMs).toISOString(),
      last_attempt: now.lastAttempt
        ? {
            at: new Date(now.lastAttempt.atMs).toISOString(),
            result: now.lastAttempt.result,
            reason: now.lastAttempt.reason,
          }
        : null,
    },
    text: statusText(now, importedAt),
  }
}

function statusText(now: NumberingStatus, importedAt: string | null): string {
  if (now.version === '') {
    return ['No registry is imported: only the international numbering plans are used.', ...failureText(now)].join('\n')
  }
  const rows = now.registries.map((one) => [
    one.kind,
    one.source,
    ...[one.rows, one.ranges, one.numbers, one.organisations].map(String),
  ])
  const since = (asOf: string) => (asOf === '' ? '' : `, as of ${asOf}`)
  return [
    `Version ${now.version}, in use since ${importedAt}.`,
    table(['KIND', 'SOURCE', 'ROWS', 'RANGES', 'NUMBERS', 'ORGANISATIONS'], rows),
    now.ported
      ? `Ported: ${now.ported.numbers} numbers from ${now.ported.source}${since(now.ported.asOf)}.`
      : 'No ported numbers are imported.',
    ...(now.changes ? [`Changes on top: ${now.changes.changes}${since(now.changes.asOf)}.`] : []),
    ...(now.fetchedAtMs ? [`Last fetched: ${new Date(now.fetchedAtMs).toISOString()}.`] : []),
    ...failureText(now),
    ...(now.previousVersion !== undefined ? ['Return to the previous version: ringproof registry rollback'] : []),
  ].join('\n')
}

function failureText({ lastAttempt }: NumberingStatus): readonly string[] {
  if (lastAttempt?.result !== 'failed') return []
  return [`The last fetch failed at ${new Date(lastAttempt.atMs).toISOString()}: ${lastAttempt.reason}`]
}

export async function lookUp(open: Numbering, text: string): Promise<CommandResult> {
  const national = parseNational(text)
  if (national === undefined)
    throw new UsageError(`Invalid Russian number: ${text}. Use ten digits, with or without +7, 7 or 8.`)
  const found = await open.lookUpNumber(open.dir, national)
  const { range } = found
  return {
    json: {
      number: found.national,
      covered: found.isCovered,
      range: range
        ? {
            organisation: range.organisation,
            inn: range.inn,
            region: range.region,
            city: range.city,
            is_reserve: range.isReserve,
          }
        : null,
      ported: found.ported ?? null,
    },
    text: lookUpText(found),
  }
}

function lookUpText({ isCovered, range, ported }: NumberLookup): string {
  const portedText = ported ? `Ported to ${ported.owner}, network code ${ported.mnc}.` : 'Not ported, as far as known.'
  if (!range) {
    const text = isCovered ? 'Not assigned to any holder.' : 'The registry for numbers of this kind is not imported.'
    return `${text}\n${portedText}`
  }
  const rows = [
    ['organisation', range.organisation],
    ['taxpayer number', range.inn || 'unknown'],
    ['region', range.region || 'the whole country'],
    ['city', range.city || 'unknown'],
  ]
  return [
    ...rows.map(([name = '', text = '']) => `${name.padEnd(17)}${text}`),
    ...(range.isReserve ? ['In reserve: not assigned to subscribers.'] : []),
    portedText,
  ].join('\n')
}
