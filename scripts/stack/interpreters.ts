// Programs that the tests need besides servers, from Debian packages: interpreters for the examples, xz for registry files,
// network namespaces, a connection pooler, faketime, a SIP scanner, a browser and Wireshark's reader of capture files.

import { installPackage, refreshPackageLists } from './debian.ts'
import { run } from './process.ts'

// A package, and a command that fails if it is missing.
const packages: readonly [name: string, probe: readonly string[]][] = [
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
  ['chromium-headless-shell', ['chromium-headless-shell', '--version']],
  ['tshark', ['tshark', '--version']],
]

/** Installs the missing packages and returns their names. */
export async function installInterpreters(): Promise<string[]> {
  const missing: string[] = []
  for (const [name, probe] of packages) {
    await run(probe).catch(() => missing.push(name))
  }
  if (missing.length > 0) await refreshPackageLists()
  for (const name of missing) await installPackage(name)
  return missing
}
