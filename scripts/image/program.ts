// The program as an image or a package contains it: the files of deploy/image/files.txt at HEAD, the web pages, the production
// packages and Node.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programNotices } from '../notices/notices.ts'
import { run } from '../stack/process.ts'
import { type Architecture, cpuOf, thisArchitecture } from './architecture.ts'
import { downloadTimeoutMs } from './base.ts'

export const repository = join(import.meta.dirname, '../..')
const built = 'web/dist'
export const noticesFile = 'THIRD-PARTY-NOTICES.txt'
// npm needs them to understand the lockfile; the program does not.
const onlyForNpm = ['.npmrc', 'sdk/package.json', 'web/package.json']

export function runtimePaths(list = 'files.txt'): readonly string[] {
  const lines = readFileSync(join(repository, 'deploy/image', list), 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

/** Writes the program into an empty directory as opt/ringproof and usr/local/bin, and checks that it is complete. */
export async function assembleProgram(root: string, architecture: Architecture): Promise<void> {
  const program = join(root, 'opt/ringproof')
  const programs = join(root, 'usr/local/bin')
  mkdirSync(program, { recursive: true })
  mkdirSync(programs, { recursive: true })
  extractCommitted([...runtimePaths().filter((path) => path !== built), ...onlyForNpm], program)
  cpSync(join(repository, built), join(program, built), { recursive: true })
  const platform = [`--cpu=${cpuOf[architecture]}`, '--os=linux', '--libc=glibc']
  const workspaces = ['--workspace=ringproof', '--include-workspace-root']
  await run(['npm', 'ci', '--omit=dev', ...workspaces, ...platform], { cwd: program, timeoutMs: downloadTimeoutMs })
  for (const path of onlyForNpm) rmSync(join(program, path))
  const pages = readFileSync(join(program, built, 'notices.txt'), 'utf8')
  writeFileSync(join(program, noticesFile), programNotices(program, pages))
  const packages = join(program, 'node_modules')
  const nodePackage = join(packages, `node-linux-${cpuOf[architecture]}`)
  renameSync(join(nodePackage, 'bin/node'), join(programs, 'node'))
  rmSync(nodePackage, { recursive: true })
  // A development convenience of npm, which points at Node's package.
  rmSync(join(packages, '.bin'), { recursive: true })
  await run(['find', packages, '-name', '*.map', '-delete', '-o', '-name', '*.d.*ts', '-delete'])
  writeFileSync(join(programs, 'ringproof'), launcher, { mode: 0o755 })
  await checkProgram(root, architecture)
}

// Not a link: Node would take the link's folder for the program's.
const launcher = `#!/usr/local/bin/node
import('/opt/ringproof/server/bin/ringproof.js')
`

export function extractCommitted(paths: readonly string[], to: string): void {
  const options = { cwd: repository, maxBuffer: 256 * 1024 * 1024 }
  const archive = spawnSync('git', ['archive', 'HEAD', '--', ...paths], options)
  if (archive.status !== 0) {
    throw new Error(`deploy/image/files.txt names a path that HEAD lacks: ${archive.stderr.toString().trim()}`)
  }
  const extracted = spawnSync('tar', ['-x', '-C', to], { input: archive.stdout })
  if (extracted.status !== 0) throw new Error(`tar failed: ${extracted.stderr.toString()}`)
}

/**
 * Loads the whole program, and with an Asterisk below the given prefix writes its configuration. Another architecture's Node
 * does not run here; the program itself is the same.
 */
export async function checkProgram(root: string, architecture: Architecture, asterisk?: string): Promise<void> {
  const node = architecture === thisArchitecture() ? join(root, 'usr/local/bin/node') : process.execPath
  const check = join(import.meta.dirname, 'check-program.ts')
  const env = { PATH: process.env['PATH'], NODE_DISABLE_COMPILE_CACHE: '1' }
  const quiet = '--disable-warning=ExperimentalWarning'
  const asteriskPrefix = asterisk === undefined ? [] : [asterisk]
  await run([node, quiet, check, join(root, 'opt/ringproof'), ...asteriskPrefix], { env })
  await run([node, join(root, 'opt/ringproof/server/bin/ringproof.js'), '--help'], { env })
}
