// Programs that the tests need besides servers, from Debian packages: interpreters for the examples, xz for registry files,
// network namespaces, a connection pooler, faketime, a SIP scanner, a browser and Wireshark's reader of capture files.

import { installMissing, type ProbedPackage } from './debian.ts'

const packages: readonly ProbedPackage[] = [
  ['curl', ['curl', '--version']],
  ['openssl', ['openssl', 'version']],
  ['procps', ['ps', '--version']],
  ['e2fsprogs', ['mkfs.ext4', '-V']],
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
export function installInterpreters(): Promise<string[]> {
  return installMissing(packages)
}
