// Runs as `node check-program.ts DIRECTORY [PROGRAMS]`: loads every module that the program can load in production, and reads
// every file that it reads later, so that a file which is missing from an image stops the build and not a server at night.
// With PROGRAMS, the installation prefix of an Asterisk, also writes the configuration of a node.

import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as asterisk from '../../server/src/engine/trunks/prepare-asterisk.ts'
import type * as settings from '../../server/src/process/config/config.ts'
import type * as docsFiles from '../../server/src/process/docs-files.ts'
import type * as webAssets from '../../server/src/web/assets.ts'

const [directory = '', programs] = process.argv.slice(2)
const source = join(directory, 'server/src')

// These run when they are loaded: `ringproof --help` loads the first, and the threads only import what is loaded here. The demo has two more.
const entries = new Set([
  ...['main.ts', 'numbering/diff-worker.ts', 'numbering/fetch-worker.ts'].map((path) => `server/src/${path}`),
  ...['demo', 'stack'].map((name) => `scripts/${name}/main.ts`),
])

try {
  const modules = globSync('{server/src,scripts}/**/*.ts', { cwd: directory }).filter((path) => !entries.has(path))
  if (modules.length === 0) throw new Error(`no module found in ${source}`)
  for (const path of modules) await import(join(directory, path))
  await readFiles()
  if (programs !== undefined) await writeAsteriskConfig(programs)
  process.exit(0)
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  process.stderr.write(`The program is incomplete: ${reason}\nAdd what is missing to deploy/image/files.txt.\n`)
  process.exit(1)
}

async function readFiles(): Promise<void> {
  const { readDocs, readDocsAssets } = (await import(join(source, 'process/docs-files.ts'))) as typeof docsFiles
  if (readDocs().size === 0 || readDocsAssets().size === 0) throw new Error('there are no pages of /docs')
  const { readAssets } = (await import(join(source, 'web/assets.ts'))) as typeof webAssets
  if (readAssets(join(directory, 'web/dist')).index === undefined) throw new Error('web/dist has no index.html')
  for (const folder of ['server/src/db/migrations', 'server/src/db/functions', 'deploy/asterisk', 'deploy/edge']) {
    if (readdirSync(join(directory, folder)).length === 0) throw new Error(`${folder} is empty`)
  }
}

async function writeAsteriskConfig(prefix: string): Promise<void> {
  const { prepareAsterisk } = (await import(join(source, 'engine/trunks/prepare-asterisk.ts'))) as typeof asterisk
  const { readConfig } = (await import(join(source, 'process/config/config.ts'))) as typeof settings
  const node = mkdtempSync(join(tmpdir(), 'ringproof-node-'))
  const config = readConfig({
    RINGPROOF_DATABASE_URL: 'postgres://127.0.0.1/ringproof',
    RINGPROOF_SECRETS_DIR: node,
    RINGPROOF_SWITCH: 'asterisk',
    RINGPROOF_ARI_PASSWORD: 'unused',
  })
  try {
    await prepareAsterisk(config, node, prefix)
  } finally {
    rmSync(node, { recursive: true })
  }
}
