// Shows what differs between two versions of the numbering data.

import type { ChangeSum, HolderChange, RegistryDiff, VersionDiff } from '../../domain/numbers/numbering-report.ts'
import { UsageError } from '../../process/errors.ts'
import type { CommandResult, NumberingTools } from '../core/context.ts'
import { table } from '../core/table.ts'

export async function diff(
  open: Pick<NumberingTools, 'diffVersions'> & { readonly dir: string },
): Promise<CommandResult> {
  const found = await open.diffVersions(open.dir)
  if (!found) throw new UsageError('There is no previous version to compare with.')
  const { from, to, registries, ported } = found
  return {
    json: {
      from,
      to,
      registries: registries.map((one) => ({ kind: one.kind, ...diffJson(one) })),
      ported: ported ?? null,
    },
    text: [
      `From version ${from || 'none'} to version ${to || 'none'}, which is in use.`,
      ...registries.map((one) => [`${one.kind}:`, ...diffText(one)].join('\n')),
      portedText(ported),
    ].join('\n\n'),
  }
}

export function diffJson({ added, removed, changedOwner }: RegistryDiff) {
  return { added, removed, changed_owner: changedOwner }
}

export function diffText({ added, removed, changedOwner }: RegistryDiff): readonly string[] {
  const sums = [
    ['added', added],
    ['removed', removed],
    ['changed owner', changedOwner],
  ] as const
  const counts = sums.map(([name, sum]) => [name, String(sum.ranges), String(sum.numbers)])
  return [table(['', 'RANGES', 'NUMBERS'], counts), ...sums.flatMap(([name, sum]) => largestText(name, sum))]
}

export function rangeText({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? String(first) : `${first}-${last}`
}

function largestText(name: string, { largest }: ChangeSum): readonly string[] {
  if (largest.length === 0) return []
  const holders = ({ before, after }: HolderChange) => [before, after].filter((text) => text !== '').join(' → ')
  return [`Largest ${name}:`, ...largest.map((one) => `  ${rangeText(one)}: ${holders(one)}`)]
}

function portedText(ported: VersionDiff['ported']): string {
  if (!ported) return 'Ported numbers: no change.'
  const [before, after] = [ported.before, ported.after].map(({ numbers, changes }) => `${numbers} + ${changes} changes`)
  return `Ported numbers: ${before} before, ${after} now.`
}
