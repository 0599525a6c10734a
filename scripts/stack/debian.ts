// Installs software from Debian's archive: into the system (as root), or unpacked into a directory (as any user): one package,
// or several with the libraries they need.
//
// The archive's address is the one that this machine's apt uses: no mirror is named here.

import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './process.ts'

/** Fetches the lists that `installPackages` chooses from. */
export async function refreshPackageLists(): Promise<void> {
  // One unreachable source makes the whole update fail, although Debian's may be fine; if it is not, the installation reports
  // it.
  await run(['apt-get', ...retryingApt, 'update']).catch(() => undefined)
}

/** Installs a package into the system. */
export async function installPackage(name: string): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => run(['apt-get', ...retryingApt, 'install', '--yes', '--no-install-recommends', name], { env })
  await install().catch(async () => {
    // An interrupted installation leaves packages half configured, and apt refuses to continue until they are.
    await run(['dpkg', '--configure', '-a'], { env })
    await install()
  })
}

/** A package, and a command that fails if it is missing. */
export type ProbedPackage = readonly [name: string, probe: readonly string[]]

/** Installs the missing packages and returns their names; root may do that, anyone else gets apt's refusal. */
export async function installMissing(packages: readonly ProbedPackage[]): Promise<string[]> {
  const missing: string[] = []
  for (const [name, probe] of packages) await run(probe).catch(() => missing.push(name))
  if (missing.length > 0) await refreshPackageLists()
  for (const name of missing) await installPackage(name)
  return missing
}

/**
 * Downloads a package of another suite than the machine's and unpacks it into a tree below the given empty directory. The
 * system's apt and dpkg are not affected.
 */
export async function unpackPackage(name: string, suite: string, directory: string): Promise<string> {
  return unpack([name], { suite, architecture: await ownArchitecture() }, directory, async () => [name])
}

/**
 * The same for several packages and the selected libraries they depend on, down to the C library: the programs can be run by
 * the tree's loader on a machine with older libraries.
 */
export async function unpackWithLibraries(
  names: readonly string[],
  libraries: RegExp,
  suite: string,
  directory: string,
  architecture?: string,
): Promise<string> {
  const source = { suite, architecture: architecture ?? (await ownArchitecture()) }
  return unpack(names, source, directory, async (privateApt) => {
    // With an empty list of installed packages, apt lists all dependencies.
    const uris = await run([...privateApt, '--yes', '--print-uris', '--no-install-recommends', 'install', ...names])
    const closure = [...uris.matchAll(/^'[^']*' ([^_\s]+)_/gm)].map((match) => match[1] ?? '')
    return closure.filter((name) => names.includes(name) || libraries.test(name))
  })
}

type Choose = (privateApt: readonly string[]) => Promise<readonly string[]>
type Source = { readonly suite: string; readonly architecture: string }

async function ownArchitecture(): Promise<string> {
  return (await run(['dpkg', '--print-architecture'])).trim()
}

async function unpack(
  packages: readonly string[],
  { suite, architecture }: Source,
  directory: string,
  choose: Choose,
): Promise<string> {
  const problems: string[] = []
  for (const [index, mirror] of (await debianMirrors()).entries()) {
    try {
      const files = await downloadPackages(`${mirror} ${suite}`, architecture, join(directory, `apt-${index}`), choose)
      const tree = join(directory, 'tree')
      await mkdir(tree, { recursive: true })
      // Newer packages put everything below usr and expect these links.
      for (const name of ['bin', 'lib', 'lib64', 'sbin']) await symlink(`usr/${name}`, join(tree, name))
      // One archive after another, because many of them create the same directories.
      for (const file of files) await run(['sh', '-c', unpackScript, 'sh', file, tree])
      return tree
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
      await rm(join(directory, 'tree'), { recursive: true, force: true })
    }
  }
  const what = packages.join(', ')
  throw new Error(
    `${what} could not be installed from Debian ${suite}: ${problems.join('\n') || 'apt knows no source'}`,
  )
}

// Without documentation, but with the files named copyright.
const unpackScript = `dpkg-deb --fsys-tarfile "$1" | tar --directory "$2" --extract --no-same-owner --keep-directory-symlink \
  --exclude='./usr/share/doc/*/[!c]*' --exclude='./usr/share/doc/*/c[!o]*' --exclude=./usr/share/man --exclude=./usr/share/locale`

// Waits for the lock of another apt on the machine.
const retryingApt = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3'] as const

async function downloadPackages(source: string, architecture: string, apt: string, choose: Choose): Promise<string[]> {
  const archives = join(apt, 'archives')
  for (const path of ['lists/partial', 'archives/partial', 'parts']) await mkdir(join(apt, path), { recursive: true })
  // A mirror may be a frozen copy with an expired Release file; the signature is still checked.
  const options = `arch=${architecture} signed-by=${debianKeyring} check-valid-until=no target=Packages`
  await writeFile(join(apt, 'sources.list'), `deb [${options}] ${source} main\n`)
  await writeFile(join(apt, 'status'), '')
  const privateApt = ['apt-get', '-q', ...retryingApt, ...privateSettings(apt, architecture)]
  await run([...privateApt, 'update'])
  const names = await choose(privateApt)
  await run([...privateApt, 'download', ...names], { cwd: archives })
  const files = (await readdir(archives)).filter((entry) => entry.endsWith('.deb'))
  if (files.length < names.length) throw new Error(`apt-get downloaded ${files.length} of ${names.length} packages`)
  return files.map((file) => join(archives, file))
}

const debianKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

function privateSettings(apt: string, architecture: string): string[] {
  return [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    `Dir::State=${apt}`,
    `Dir::State::lists=${apt}/lists`,
    `Dir::State::status=${apt}/status`,
    `Dir::Cache=${apt}`,
    `Dir::Cache::archives=${apt}/archives`,
    `Dir::Etc::sourcelist=${apt}/sources.list`,
    `Dir::Etc::sourceparts=${apt}/parts`,
    // The machine's pins are for its own suite and would hide another one.
    'Dir::Etc::preferences=/dev/null',
    `Dir::Etc::preferencesparts=${apt}/parts`,
    // apt's download user may not have access to this directory.
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
  ].flatMap((setting) => ['-o', setting])
}

/** Addresses of Debian's archive, the most reliable first. */
export async function debianMirrors(): Promise<string[]> {
  const known = await run(['apt-get', 'indextargets', '--format', '$(REPO_URI)', 'Origin: Debian', 'Label: Debian'])
  // On a new machine no list has been fetched, so apt does not know which archive is Debian's; it still prints the addresses.
  const declared = await run(['apt-get', '--print-uris', 'update'])
  const addresses = [...declared.matchAll(/^'([^']+?)\/*\/dists\/[^']+\/InRelease'/gm)].map((match) => match[1] ?? '')
  const mirrors = [...known.trim().split('\n'), ...addresses].map((address) => address.replace(/\/+$/, ''))
  return [...new Set(mirrors)].filter((address) => address !== '' && !address.endsWith('-security'))
}
