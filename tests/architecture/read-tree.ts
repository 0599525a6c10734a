import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Module, readModule } from './read-module.ts'

// What the laws check: every file that is, or is about to be, in the repository, and the parsed modules.
export type Tree = {
  root: string
  files: string[]
  modules: Module[]
  manifests: { root: Manifest; server: Manifest; contract: Manifest; sdk: Manifest; web: Manifest }
  readText: (path: string) => string
}

export type Manifest = {
  name: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

export type Complaint = { path: string; line?: number; text: string }

export type Law = (tree: Tree) => Complaint[]

const sourceFolders = ['contract/src/', 'scripts/', 'sdk/src/', 'server/src/', 'tests/', 'web/src/']
const moduleName = /\.([cm]?[jt]s|tsx)$/

export function readTree(root: string): Tree {
  const files = listFiles(root)
  const readText = (path: string) => readFileSync(join(root, path), 'utf8')
  return {
    root,
    files,
    modules: files.filter(isModule).map((path) => readOnce(path, readText(path))),
    manifests: {
      root: readManifest(root, 'package.json'),
      server: readManifest(root, 'server/package.json'),
      contract: readManifest(root, 'contract/package.json'),
      sdk: readManifest(root, 'sdk/package.json'),
      web: readManifest(root, 'web/package.json'),
    },
    readText,
  }
}

// The same text gives the same facts, so the trees of the seeded violations share what they have in common.
const modulesRead = new Map<string, Module>()

function readOnce(path: string, text: string): Module {
  const key = `${path}\n${text}`
  const module = modulesRead.get(key) ?? readModule(path, text)
  modulesRead.set(key, module)
  return module
}

// Tracked files and untracked files that are not ignored: a violation is reported before it is committed.
function listFiles(root: string): string[] {
  const paths = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
    .split('\0')
    .filter((path) => path !== '')
  return [...new Set(paths)].filter((path) => existsSync(join(root, path))).toSorted()
}

// The GIT_* variables that a hook sets are dropped, because they would point git at another tree.
export function git(root: string, ...args: string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  return execFileSync('git', args, { cwd: root, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

function isModule(path: string): boolean {
  return moduleName.test(path) && sourceFolders.some((folder) => path.startsWith(folder))
}

function readManifest(root: string, path: string): Manifest {
  const read: Partial<Manifest> = JSON.parse(readFileSync(join(root, path), 'utf8'))
  return {
    name: read.name ?? '',
    dependencies: read.dependencies ?? {},
    devDependencies: read.devDependencies ?? {},
    optionalDependencies: read.optionalDependencies ?? {},
  }
}
