// The pages, samples and assets of /docs. They are files of the repository and served by this process, so that an installation
// without internet access has them in the matching version.

import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../../', import.meta.url)
const assets = new URL('../../assets/', import.meta.url)

const pageFolders = ['docs/guides/', 'docs/guides/ru/', 'docs/reference/'] as const
const pages = [
  'sdk/README.md',
  'sdk-php/README.md',
  'examples/README.md',
  'deploy/README.md',
  'docs/operations/metrics.md',
  'docs/operations/privacy.md',
] as const

// The simplest examples of calls and webhooks, per language.
const sampleFolders = ['examples/curl/', 'examples/php/', 'examples/node/', 'examples/python/', 'examples/go/'] as const

// By path from the repository root, which is also the URL path.
export function readDocs(): ReadonlyMap<string, string> {
  const inFolders = [...pageFolders, ...sampleFolders].flatMap((folder) => filesOf(new URL(folder, root), folder))
  return new Map([...inFolders, ...pages].map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))
}

// By path below assets/.
export function readDocsAssets(): ReadonlyMap<string, Buffer> {
  const names = ['docs/', 'look/', 'look/fonts/'].flatMap((folder) => filesOf(new URL(folder, assets), folder))
  return new Map(names.map((name) => [name, readFileSync(new URL(name, assets))]))
}

function filesOf(folder: URL, prefix: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${prefix}${name}`)
    .toSorted()
}
