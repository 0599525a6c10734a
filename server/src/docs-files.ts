// The pages for those who call the API, as they lie in the repository; served by the program, so that an installation
// without the internet has them, and of the same version.

import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const pages = [
  'docs/guides/quickstart.md',
  'docs/guides/migrate.md',
  'docs/reference/errors.md',
  'sdk/README.md',
] as const

// Of every language, calls and webhooks in the plainest form.
const sampleFolders = ['curl', 'php', 'node', 'python', 'go'] as const

// By their paths from the root, which are also those they are served at.
export function readDocs(): ReadonlyMap<string, string> {
  const samples = sampleFolders.flatMap((folder) =>
    readdirSync(new URL(`examples/${folder}/`, root)).map((name) => `examples/${folder}/${name}`),
  )
  return new Map([...pages, ...samples].map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))
}
