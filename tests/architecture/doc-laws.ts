import { dirname, posix } from 'node:path'
import type { Complaint, Law, Tree } from './read-tree.ts'

// Pages name files of the repository in backticks and in links. A path that was moved is found here, not by a reader.

const topFolders = [
  'bench',
  'contract',
  'deploy',
  'docs',
  'examples',
  'scripts',
  'sdk',
  'server',
  'tests',
  'web',
] as const
// What a build writes is not in the repository.
const built = ['web/dist'] as const
// These pages write paths of the server without its folder.
const maps: ReadonlySet<string> = new Set(['ARCHITECTURE.md', 'docs/reference/map.md'])
const mapped = 'server/src/'
// Two printed pages (A4) with its tables.
const architectureWordsMax = 1_100
// What one looks through. A long suite is a name that `npm run verify` knows.
const scriptsMax = 30

export const docPathLaw: Law = (tree) =>
  eachPageLine(tree, (page, line) =>
    [...line.matchAll(/`([^`\s]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => isRepositoryPath(page, path) && !existsFor(tree, page, path))
      .map((path) => `names ${path}: there is no such file`),
  )

export const docLinkLaw: Law = (tree) =>
  eachPageLine(tree, (page, line) =>
    [...line.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !exists(tree, posix.join(dirname(page), target)))
      .map((target) => `links to ${target}: there is no such file`),
  )

// A newcomer reads it whole; what one looks up is in docs/reference/map.md.
export const architectureLengthLaw: Law = (tree) => {
  const path = 'ARCHITECTURE.md'
  const words = tree.files.includes(path) ? tree.readText(path).split(/\s+/).length : 0
  return words <= architectureWordsMax ? [] : [{ path, text: `has ${words} words: more than two pages` }]
}

// A row of the page starts with the name of the script, or of the suite that `npm run verify` knows.
export const scriptDocsLaw: Law = (tree) => {
  const page = 'docs/operations/tests.md'
  const { scripts = {} } = JSON.parse(tree.readText('package.json')) as { scripts?: Record<string, string> }
  const textOf = (path: string) => (tree.files.includes(path) ? tree.readText(path) : '')
  const suites = [...textOf('scripts/verify.ts').matchAll(/^ {2}'?([\w-]+)'?: \[/gm)].map(([, name = '']) => name)
  const listed = [...textOf(page).matchAll(/^\| `([\w:-]+)[^`]*` \|/gm)].map(([, name = '']) => name)
  const names = [...Object.keys(scripts), ...suites]
  return [
    ...names
      .filter((name) => !listed.includes(name))
      .map((name) => ({ path: page, text: `has no row for \`${name}\`` })),
    ...listed
      .filter((name) => !names.includes(name))
      .map((name) => ({ path: page, text: `lists ${name}: there is no such script or suite` })),
  ]
}

export const scriptCountLaw: Law = (tree) => {
  const { scripts = {} } = JSON.parse(tree.readText('package.json')) as { scripts?: Record<string, string> }
  const count = Object.keys(scripts).length
  return count <= scriptsMax ? [] : [{ path: 'package.json', text: `has ${count} scripts: at most ${scriptsMax}` }]
}

// Outside of fences: what stands in a block of code is a sample.
function eachPageLine(tree: Tree, faultsOf: (page: string, line: string) => string[]): Complaint[] {
  return tree.files
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => {
      let isSample = false
      return tree
        .readText(path)
        .split('\n')
        .flatMap((text, at) => {
          if (/^ {0,3}(```|~~~)/.test(text)) isSample = !isSample
          return isSample ? [] : faultsOf(path, text).map((fault) => ({ path, line: at + 1, text: fault }))
        })
    })
}

function isRepositoryPath(page: string, path: string): boolean {
  if (/[<>{}=$:]/.test(path) || built.some((folder) => path.startsWith(folder))) return false
  if (topFolders.some((folder) => path.startsWith(`${folder}/`))) return true
  return maps.has(page) && /^[a-z][\w.*-]*(\/|\.(ts|sql|env|md)$)/.test(path)
}

function existsFor(tree: Tree, page: string, path: string): boolean {
  return exists(tree, path) || (maps.has(page) && exists(tree, `${mapped}${path}`))
}

// A file, a folder, or a pattern with a star that fits at least one file.
function exists(tree: Tree, path: string): boolean {
  const pattern = path
    .replace(/\/$/, '')
    .replace(/[.+?^()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
  const matcher = new RegExp(`^${pattern}(/|$)`)
  return tree.files.some((file) => matcher.test(file))
}
