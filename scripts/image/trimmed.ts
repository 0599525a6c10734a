// The root file system of an image with a program of Debian's: the program, the modules that our configuration loads, and the libraries
// that these need. The package with all its dependencies would be several times as large.

import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { unpackWithLibraries } from '../stack/debian.ts'
import { draftDirectory } from '../stack/draft.ts'
import { run } from '../stack/process.ts'
import type { Architecture } from './architecture.ts'
import { baseAgeMsMax, cacheDirectory } from './base.ts'

export type Unpacked = {
  // As in usr/sbin and as of its folder of modules.
  readonly program: string
  readonly suite: string
  readonly packages: readonly string[]
  // Packages with libraries that modules are linked against.
  readonly libraries: RegExp
}

export type Trimmed = Unpacked & {
  // The names of the modules, as our configuration loads them.
  readonly modules: () => readonly string[]
  // Libraries that are not in any list of linked ones.
  readonly loadedByName: readonly string[]
  readonly otherFiles: readonly string[]
}

const otherPackages = ['base-files', 'netbase', 'ca-certificates']

const otherFiles = [
  'etc/os-release',
  'etc/protocols',
  'etc/services',
  'usr/share/doc',
  'usr/share/common-licenses',
  // Links into usr.
  'bin',
  'sbin',
  'lib',
  'lib64',
]

/** Writes the file system into a directory. */
export async function assembleTrimmed(root: string, trimmed: Trimmed, architecture: Architecture): Promise<void> {
  const packages = await unpackedPackages(trimmed, architecture)
  const tree = join(packages, 'tree')
  const named = [...otherFiles, ...trimmed.otherFiles]
  const paths = [...(await linkedFiles(tree, trimmed)), ...named].filter((path) => lstatOf(join(tree, path)))
  const wanted = [...new Set(paths.flatMap((path) => withLinkTarget(tree, path)))]
  mkdirSync(root, { recursive: true })
  const input = `${wanted.join('\n')}\n`
  await run(['sh', '-c', 'tar -c -C "$1" -T - | tar -x -C "$2"', 'sh', tree, root], { input })
  completeRoot(root, packages)
}

/** Adds what no package contains: mount points, the list of packages, certificates and users. */
export function completeRoot(root: string, packages: string): void {
  const tree = join(packages, 'tree')
  for (const folder of ['tmp', 'proc', 'sys', 'dev', 'run', 'etc/ssl/certs', 'var/lib/dpkg']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  // Scanners look here for the packages of an image without dpkg.
  cpSync(join(packages, 'status.d'), join(root, 'var/lib/dpkg/status.d'), { recursive: true })
  const certificates = globSync('usr/share/ca-certificates/mozilla/*.crt', { cwd: tree }).toSorted()
  const bundle = certificates.map((path) => readFileSync(join(tree, path), 'utf8')).join('')
  writeFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), bundle)
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/sbin/nologin\nringproof:x:65532:65532::/:/sbin/nologin\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nringproof:x:65532:\n')
}

/**
 * A directory with the packages and the libraries that modules use, as the development stack selects them, in `tree`, and with the fields of
 * the packages in `status.d`; at most a day old.
 */
export async function unpackedPackages(unpacked: Unpacked, architecture: Architecture): Promise<string> {
  const path = join(cacheDirectory, `${unpacked.program}-unpacked-${architecture}`)
  if (existsSync(path) && statSync(path).mtimeMs > Date.now() - baseAgeMsMax) return path
  const draft = await draftDirectory(path)
  const names = [...unpacked.packages, ...otherPackages]
  await unpackWithLibraries(names, unpacked.libraries, unpacked.suite, draft, architecture)
  mkdirSync(join(draft, 'status.d'))
  for (const file of globSync('apt-*/archives/*.deb', { cwd: draft })) {
    const fields = await run(['dpkg-deb', '--field', join(draft, file)])
    const digest = createHash('sha256')
      .update(readFileSync(join(draft, file)))
      .digest('hex')
    writeFileSync(join(draft, 'status.d', basename(file).replace(/_.*/, '')), `${fields}SHA256: ${digest}\n`)
    rmSync(join(draft, file))
  }
  rmSync(path, { recursive: true, force: true })
  renameSync(draft, path)
  return path
}

// The program and its modules, with what they are linked against, directly or through another library.
async function linkedFiles(tree: string, trimmed: Trimmed): Promise<readonly string[]> {
  const { program } = trimmed
  const modules = globSync(`usr/lib/*/${program}/modules`, { cwd: tree })[0]
  if (modules === undefined) throw new Error(`Debian has moved the modules of ${program}`)
  const libraries = dirname(dirname(modules))
  const files = [`usr/sbin/${program}`, ...trimmed.modules().map((name) => join(modules, name))]
  files.push(...trimmed.loadedByName.map((name) => join(libraries, name)))
  const missing = files.find((path) => !existsSync(join(tree, path)))
  if (missing !== undefined) throw new Error(`Debian's packages of ${program} have no ${missing}`)
  const found = new Set<string>()
  for (let added = files; added.length > 0; ) {
    for (const path of added) found.add(path)
    const output = await run(['readelf', '--dynamic', '--program-headers', ...added.map((path) => join(tree, path))])
    const needed = [...output.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name = '']) => join(libraries, name))
    const loaders = [...output.matchAll(/program interpreter: \/(\S+)\]/g)].map(([, path = '']) => join('usr', path))
    added = [...new Set([...needed, ...loaders])].filter((path) => !found.has(path))
    const absent = added.find((path) => !existsSync(join(tree, path)))
    if (absent !== undefined) throw new Error(`${program} needs ${absent}: add the package to its libraries`)
  }
  return [...found]
}

// A library is often a link to the file with the tree version.
function withLinkTarget(tree: string, path: string): readonly string[] {
  const file = join(tree, path)
  if (lstatOf(file)?.isSymbolicLink() !== true) return [path]
  const target = relative(tree, resolve(dirname(file), readlinkSync(file).replace(/^\//, `${tree}/`)))
  return lstatOf(join(tree, target))?.isFile() === true ? [path, target] : [path]
}

function lstatOf(path: string): ReturnType<typeof lstatSync> | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}
