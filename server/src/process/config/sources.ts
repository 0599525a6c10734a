// Where the texts of settings come from: the defaults in config.default.env, then the environment, then the files that the
// environment names with NAME_FILE.

import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

const defaultsFile = new URL('../../../config.default.env', import.meta.url)

export function collectTexts<Name extends string>(
  names: readonly Name[],
  environment: NodeJS.ProcessEnv,
): { readonly texts: Record<Name, string>; readonly mistakes: string[] } {
  const texts = parseEnv(readFileSync(defaultsFile, 'utf8')) as Record<Name, string>
  const mistakes: string[] = []
  const isKnown = (name: string): name is Name => (names as readonly string[]).includes(name)
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue
    if (isKnown(name)) texts[name] = value.trim()
    else if (!name.startsWith('RINGPROOF_') || isKnown(withoutFile(name))) continue
    else mistakes.push(`${name}: there is no such setting${didYouMean(names, withoutFile(name))}`)
  }
  for (const name of names) {
    const path = environment[`${name}_FILE`]
    if (path === undefined || path === '') continue
    if (environment[name]) mistakes.push(`${name}: is set, and so is ${name}_FILE; keep one of them`)
    else texts[name] = readSettingFile(name, path, mistakes)
  }
  return { texts, mistakes }
}

function withoutFile(name: string): string {
  return name.replace(/_FILE$/, '')
}

function readSettingFile(name: string, path: string, mistakes: string[]): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    mistakes.push(`${name}_FILE: ${error instanceof Error ? error.message : String(error)}`)
    return ''
  }
}

function didYouMean(names: readonly string[], name: string): string {
  const [best] = names
    .map((candidate) => ({ candidate, steps: editDistance(name, candidate) }))
    .toSorted((a, b) => a.steps - b.steps)
  return best && best.steps <= 4 ? `; did you mean ${best.candidate}?` : ''
}

// Levenshtein distance, one row at a time.
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const above = row
    row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(substitution, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
  }
  return row[b.length] ?? 0
}
