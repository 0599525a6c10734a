// A copy of the working tree in which files can be changed. Packages are links; those of the workspaces lead into the copy.

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

export function copyTree(to: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const path of listed.split('\0')) {
    if (path === '' || !existsSync(join(repository, path))) continue
    mkdirSync(dirname(join(to, path)), { recursive: true })
    copyFileSync(join(repository, path), join(to, path))
  }
  for (const folder of ['.', 'contract', 'sdk', 'server', 'web']) {
    const packages = join(repository, folder, 'node_modules')
    if (existsSync(packages)) linkPackages(packages, join(to, folder, 'node_modules'))
  }
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const source = join(from, name)
    if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), join(to, name))
    else if (name.startsWith('@') || name === '.bin') linkPackages(source, join(to, name))
    else symlinkSync(source, join(to, name))
  }
}
