// Software from Debian's archive: into the system (by root), or one package unpacked into a directory (by anybody).
//
// The address of the archive is the one this machine's own apt uses: no mirror is named here.

import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './process.ts'

/** Fetches the lists that `installPackages` chooses from. */
export async function refreshPackageLists(): Promise<void> {
  // One source of the machine that does not answer makes the whole update fail, while Debian's own may be well; if it is
  // not, the installation says so.
  await run(['apt-get', ...patientApt, 'update']).catch(() => undefined)
}

/** Installs a package into the system. */
export async function installPackage(name: string): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => run(['apt-get', ...patientApt, 'install', '--yes', '--no-install-recommends', name], { env })
  await install().catch(async () => {
    // An installation that was cut off leaves packages half configured, and apt refuses to go on until that is done.
    await run(['dpkg', '--configure', '-a'], { env })
    await install()
  })
}

/**
 * Downloads a package of another suite than the machine's own and unpacks it into a tree below the given empty directory.
 * The system's apt and dpkg see none of it.
 */
export async function unpackPackage(name: string, suite: string, directory: string): Promise<string> {
  const problems: string[] = []
  for (const [index, mirror] of (await debianMirrors()).entries()) {
    try {
      const file = await downloadPackage(name, `${mirror} ${suite}`, join(directory, `apt-${index}`))
      const tree = join(directory, 'tree')
      await run(['dpkg-deb', '--extract', file, tree])
      return tree
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(`${name} could not be had from Debian's ${suite}: ${problems.join('\n') || 'apt knows no source'}`)
}

// Another apt may be at work on the machine: its lock is waited for.
const patientApt = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3'] as const

async function downloadPackage(name: string, source: string, apt: string): Promise<string> {
  const archives = join(apt, 'archives')
  for (const path of ['lists/partial', 'archives/partial', 'parts']) await mkdir(join(apt, path), { recursive: true })
  const architecture = (await run(['dpkg', '--print-architecture'])).trim()
  // A mirror may be a frozen copy whose Release file has passed its date; the signature is checked all the same.
  const options = `arch=${architecture} signed-by=${debianKeyring} check-valid-until=no target=Packages`
  await writeFile(join(apt, 'sources.list'), `deb [${options}] ${source} main\n`)
  await writeFile(join(apt, 'status'), '')
  const privateApt = ['apt-get', '-q', ...patientApt, ...privateSettings(apt)]
  await run([...privateApt, 'update'])
  await run([...privateApt, 'download', name], { cwd: archives })
  const file = (await readdir(archives)).find((entry) => entry.endsWith('.deb'))
  if (file === undefined) throw new Error(`apt-get downloaded no ${name}`)
  return join(archives, file)
}

const debianKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

function privateSettings(apt: string): string[] {
  return [
    `Dir::State=${apt}`,
    `Dir::State::lists=${apt}/lists`,
    `Dir::State::status=${apt}/status`,
    `Dir::Cache=${apt}`,
    `Dir::Cache::archives=${apt}/archives`,
    `Dir::Etc::sourcelist=${apt}/sources.list`,
    `Dir::Etc::sourceparts=${apt}/parts`,
    // The machine's pins speak of its own suite and would hide another one.
    'Dir::Etc::preferences=/dev/null',
    `Dir::Etc::preferencesparts=${apt}/parts`,
    // The user whom apt downloads as may not be able to reach this directory.
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
  ].flatMap((setting) => ['-o', setting])
}

/** Addresses of Debian's archive, the surest first. */
async function debianMirrors(): Promise<string[]> {
  const known = await run(['apt-get', 'indextargets', '--format', '$(REPO_URI)', 'Origin: Debian', 'Label: Debian'])
  // On a bare machine no list was ever fetched, so apt cannot tell whose archive is whose; it still tells the addresses.
  const declared = await run(['apt-get', '--print-uris', 'update'])
  const addresses = [...declared.matchAll(/^'([^']+?)\/*\/dists\/[^']+\/InRelease'/gm)].map((match) => match[1] ?? '')
  const mirrors = [...known.trim().split('\n'), ...addresses].map((address) => address.replace(/\/+$/, ''))
  return [...new Set(mirrors)].filter((address) => address !== '' && !address.endsWith('-security'))
}
