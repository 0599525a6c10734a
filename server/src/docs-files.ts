// The documentation pages for API clients, read from the repository and served by this process, so that an installation
// without internet access has them in the matching version.

import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const pages = [
  'docs/guides/quickstart.md',
  'docs/guides/migrate.md',
  'docs/reference/errors.md',
  'sdk/README.md',
] as const

// The simplest examples of calls and webhooks, per language.
const sampleFolders = ['curl', 'php', 'node', 'python', 'go'] as const

// By path from the repository root, which is also the URL path.
export function readDocs(): ReadonlyMap<string, string> {
  const samples = sampleFolders.flatMap((folder) =>
    readdirSync(new URL(`examples/${folder}/`, root)).map((name) => `examples/${folder}/${name}`),
  )
  return new Map([...pages, ...samples].map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))
}
