// Caller numbers from a file of the carrier: `ringproof numbers add-range --file`.

import { readFileSync } from 'node:fs'
import { importCallerNumbers, previewCallerImport } from '../../actions/trunks/caller-numbers.ts'
import type { CodeRange } from '../../domain/trunks/code-coverage.ts'
import { UsageError } from '../../process/errors.ts'
import type { CommandResult, DatabaseContext } from '../core/context.ts'

export type FileOptions = { trunk: string; country: string; dryRun?: true }

export async function addFile(
  open: DatabaseContext,
  path: string,
  { trunk, country, dryRun }: FileOptions,
): Promise<CommandResult> {
  const command = { trunk, country, text: readText(path) }
  const preview = await previewCallerImport(open, command)
  const { added, duplicates, taken, repeated, invalidLines, gained, missingAfter } = preview
  if (!dryRun) await importCallerNumbers(open, open.actor, { ...command, expected: added })
  const codes = gained.map(codesText)
  return {
    json: {
      added,
      duplicates,
      taken,
      repeated,
      invalid_lines: invalidLines,
      codes_gained: codes,
      codes_missing: missingAfter,
    },
    text: [
      `${dryRun ? 'Would add' : 'Added'} ${added} caller numbers for ${country} to trunk ${trunk}.`,
      `Left out: ${duplicates} that are there already, ${taken} with another use, ${repeated} repeated in the file.`,
      ...(invalidLines.length > 0 ? [`Lines that are no number: ${shortened(invalidLines.map(String))}.`] : []),
      `Codes that become possible: ${shortened(codes) || 'none'}. Codes without a number afterwards: ${missingAfter}.`,
    ].join('\n'),
  }
}

export function codesText({ first, last }: CodeRange): string {
  return first === last ? first : `${first}-${last}`
}

function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function shortened(texts: readonly string[]): string {
  const shown = texts.slice(0, 20).join(' ')
  return texts.length > 20 ? `${shown} and ${texts.length - 20} more` : shown
}
