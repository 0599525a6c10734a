import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusals } from '@ringproof/contract/errors.ts'

export const errorPage = 'docs/reference/errors.md'

// The page with the status and the sentences of the contract; what it says besides is written by hand.
export function withSentences(repository: string): string {
  let page = readFileSync(join(repository, errorPage), 'utf8')
  for (const [name, { code, status, en, ru }] of Object.entries(refusals)) {
    const section = new RegExp(`(^## ${code} ${name}\\n\\n)- .*\\n- .*\\n- .*\\n`, 'm')
    page = page.replace(section, (_, head: string) => `${head}- HTTP ${status}\n- ${en}\n- ${ru}\n`)
  }
  return page
}
