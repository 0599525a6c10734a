// The programs that the tests need besides servers, from Debian's packages: those that run the samples of examples, what
// unpacks registry files, lays out networks, pools connections, lies to a process about the time, and scans SIP servers.

import { installPackage, refreshPackageLists } from './debian.ts'
import { run } from './process.ts'

// A package, and a command that fails while it is missing.
const packages: readonly [name: string, proof: readonly string[]][] = [
  ['curl', ['curl', '--version']],
  ['php-cli', ['php', '--version']],
  ['php-curl', ['php', '-r', 'exit((int) !extension_loaded("curl"));']],
  ['python3', ['python3', '--version']],
  ['golang-go', ['go', 'version']],
  ['xz-utils', ['xz', '--version']],
  ['iproute2', ['ip', '-V']],
  ['pgbouncer', ['pgbouncer', '--version']],
  ['faketime', ['faketime', '--version']],
  ['sipvicious', ['svmap', '--version']],
]

/** Installs those that are missing, and tells their names. */
export async function installInterpreters(): Promise<string[]> {
  const missing: string[] = []
  for (const [name, proof] of packages) {
    await run(proof).catch(() => missing.push(name))
  }
  if (missing.length > 0) await refreshPackageLists()
  for (const name of missing) await installPackage(name)
  return missing
}
