import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorAdvice } from '@ringproof/contract/error-advice.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'

export const errorPage = 'docs/reference/errors.md'

// The introduction is written by hand; every section comes from the contract.
export function withErrors(repository: string): string {
  const [introduction] = readFileSync(join(repository, errorPage), 'utf8').split(/^## /m)
  const names = (Object.keys(refusals) as RefusalName[]).toSorted((a, b) => refusals[a].code - refusals[b].code)
  return `${introduction}${names.map((name) => errorSection(name)).join('\n')}`
}

function errorSection(name: RefusalName): string {
  const { code, status, en, ru } = refusals[name]
  const advice = errorAdvice[name]
  return `## ${code} ${name}

- HTTP ${status}
- ${en}
- ${ru}
- Fixable by: ${advice.by}. ${advice.en}
`
}
