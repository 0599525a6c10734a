// What an image or a package contains, read from the finished file: packages of npm and of Debian, and the notices.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noticesFile } from '../image/program.ts'
import { run } from '../stack/process.ts'

export type NpmPackage = { readonly name: string; readonly version: string }
export type DebianPackage = {
  readonly name: string
  readonly version: string
  readonly architecture: string
  readonly maintainer: string
  // Of the package's file in Debian's archive.
  readonly sha256: string
}
export type Contents = {
  readonly npm: readonly NpmPackage[]
  readonly debian: readonly DebianPackage[]
  // Empty if it does not contain the program.
  readonly notices: string
}

/** Reads an archive for `docker load` or a Debian package. */
export async function readContents(file: string): Promise<Contents> {
  return await withFiles(file, (root) => {
    const isPackage = file.endsWith('.deb')
    const program = join(root, isPackage ? 'usr/lib/ringproof' : 'opt/ringproof')
    const notices = join(isPackage ? join(root, 'usr/share/doc/ringproof') : program, noticesFile)
    return {
      npm: npmPackages(program),
      debian: isPackage ? [] : debianPackages(join(root, 'var/lib/dpkg/status.d')),
      notices: existsSync(program) ? readFileSync(notices, 'utf8') : '',
    }
  })
}

/** Unpacks an archive for `docker load` or a .deb into a directory that exists only during the work. */
export async function withFiles<T>(file: string, work: (root: string) => T | Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'ringproof-contents-'))
  const root = join(directory, 'root')
  mkdirSync(root)
  try {
    if (file.endsWith('.deb')) await run(['dpkg-deb', '--extract', file, root])
    else await unpackLayers(file, directory, root)
    return await work(root)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function unpackLayers(archive: string, directory: string, root: string): Promise<void> {
  await run(['tar', '-x', '-C', directory, '-f', archive])
  const [{ Layers }] = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as [{ Layers: string[] }]
  for (const layer of Layers) await run(['tar', '-x', '-C', root, '-f', join(directory, layer)])
}

// Those of the server by npm's own list, which includes Node, and those in the web pages.
function npmPackages(program: string): readonly NpmPackage[] {
  if (!existsSync(program)) return []
  const list = readFileSync(join(program, 'node_modules/.package-lock.json'), 'utf8')
  const { packages } = JSON.parse(list) as { packages: Record<string, { version: string; link?: boolean }> }
  const installed = Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, { version }]) => ({ name: path.replace(/^.*node_modules\//, ''), version }))
  const bundled = JSON.parse(readFileSync(join(program, 'web/dist/packages.json'), 'utf8')) as NpmPackage[]
  return [...installed, ...bundled]
}

function debianPackages(statuses: string): readonly DebianPackage[] {
  return readdirSync(statuses)
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(statuses, file), 'utf8')
      const field = (name: string) => {
        const value = new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1]
        if (value === undefined) throw new Error(`the status of ${file} has no ${name}`)
        return value
      }
      return {
        name: field('Package'),
        version: field('Version'),
        architecture: field('Architecture'),
        maintainer: field('Maintainer'),
        sha256: field('SHA256'),
      }
    })
}
