// All files generated from the contract, the domain, the settings, the examples or the lists of panels, by path from the root. Of some
// only a part is.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { boards } from './boards.ts'
import { commandsPage, commandsText } from './commands-page.ts'
import { composeEnv, defaultSettings } from './compose-env.ts'
import { errorPage, withErrors } from './error-page.ts'
import { keptWords } from './kept-words.ts'
import { readOpenApi } from './open-api.ts'
import { postmanCollection } from './postman-collection.ts'
import { personalDataPage, withRetention } from './retention-table.ts'
import { withSamples } from './sample-blocks.ts'
import { screensPage, screensText } from './screens-page.ts'
import { pagesWithSentences, withSentences } from './sentences.ts'
import { settingsPages } from './settings-pages.ts'
import { sqlRules } from './sql-rules.ts'
import { trunkOptionsPage, trunkOptionsText } from './trunk-options-page.ts'
import { typescriptTypes } from './typescript-types.ts'

const repository = join(import.meta.dirname, '../..')

const pagesWithSamples = ['docs/guides/quickstart.md', 'docs/guides/ru/quickstart.md']

export function generatedFiles(): ReadonlyMap<string, string> {
  const document = readOpenApi()
  const files = [
    ['server/src/db/functions/rules.sql', sqlRules()],
    [errorPage, withErrors(repository)],
    ...pagesWithSentences.map((page) => [page, withSentences(repository, page)] as const),
    [personalDataPage, withRetention(withSentences(repository, personalDataPage))],
    ...settingsPages(withSentences(repository, defaultSettings)),
    ['deploy/compose/.env.example', composeEnv(repository, withSentences(repository, defaultSettings))],
    ['web/src/words/kept.ts', keptWords()],
    [trunkOptionsPage, trunkOptionsText()],
    [commandsPage, commandsText()],
    [screensPage, screensText(repository)],
    ['sdk/src/methods.ts', typescriptTypes(document)],
    ['examples/postman.json', postmanCollection(document)],
    ...boards().map(([name, text]) => [`deploy/observability/boards/${name}.json`, text] as const),
    ...pagesWithSamples.map((page) => [page, withSamples(repository, page)] as const),
  ] as const
  return new Map(files.map(([path, text]) => [path, /\.(ts|json)$/.test(path) ? format(path, text) : text]))
}

// Formatted as the check requires.
function format(name: string, text: string): string {
  const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'format', `--stdin-file-path=${name}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: repository,
    input: text,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`)
  return stdout
}
