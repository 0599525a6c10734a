// Root file systems from Debian's packages. No maintainer script runs (variant extract), so another architecture is built like
// this machine's.

import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { debianMirrors } from '../stack/debian.ts'
import { run } from '../stack/process.ts'
import type { Architecture } from './architecture.ts'

export type Base = {
  readonly name: string
  readonly suite: string
  readonly packages: readonly string[]
}

export const cacheDirectory = join(import.meta.dirname, '../../.cache/images')

// Debian publishes fixes every day.
export const baseAgeMsMax = 24 * 3_600_000
export const downloadTimeoutMs = 900_000

/** The tar file of a base, at most a day old. */
export async function debianBase({ name, suite, packages }: Base, architecture: Architecture): Promise<string> {
  const path = join(cacheDirectory, `${name}-${architecture}.tar`)
  if (existsSync(path) && statSync(path).mtimeMs > Date.now() - baseAgeMsMax) return path
  mkdirSync(cacheDirectory, { recursive: true })
  const problems: string[] = []
  for (const mirror of await debianMirrors()) {
    // A mirror may be a frozen copy with an expired Release file; the signature is still checked.
    const source = `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg check-valid-until=no] ${mirror} ${suite} main`
    const draft = `${path}.draft.tar`
    const options = ['--quiet', '--mode=root', '--variant=extract', `--architectures=${architecture}`]
    const leftOut = withoutPaths.map((paths) => `--dpkgopt=path-exclude=${paths}`)
    leftOut.push(...copyrights.map((paths) => `--dpkgopt=path-include=${paths}`))
    const hooks = [certificates, installedPackages, users].map((hook) => `--extract-hook=${hook}`)
    const command = ['mmdebstrap', ...options, ...leftOut, ...hooks, `--include=${packages.join(',')}`]
    try {
      // The same dates in every build.
      const env = { ...process.env, SOURCE_DATE_EPOCH: '0' }
      await run([...command, suite, draft, source], { env, timeoutMs: downloadTimeoutMs })
      renameSync(draft, path)
      return path
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(`no base from Debian ${suite}: ${problems.join('\n') || 'apt knows no source'}`)
}

const withoutPaths = [
  '/usr/share/doc/*',
  '/usr/share/man/*',
  '/usr/share/locale/*',
  '/usr/share/bug/*',
  '/usr/share/lintian/*',
  '/usr/lib/*/gconv/*',
  '/usr/lib/*/perl-base/*',
  '/usr/bin/perl*',
]

// The last two are links to the folder of another package.
const copyrights = ['/usr/share/doc/*/copyright', '/usr/share/doc/libgcc-s1', '/usr/share/doc/libstdc++6']

// What the maintainer script of ca-certificates would do.
const certificates =
  'mkdir -p "$1/etc/ssl/certs" && cat "$1"/usr/share/ca-certificates/mozilla/*.crt >"$1/etc/ssl/certs/ca-certificates.crt"'

// Scanners look here for the packages of an image without dpkg. The digest is that of the file in Debian's archive.
const installedPackages = `mkdir -p "$1/var/lib/dpkg/status.d"
for deb in "$1"/var/cache/apt/archives/*.deb; do
  { dpkg-deb --field "$deb"; sha256sum <"$deb" | sed 's/ .*//; s/^/SHA256: /'; } \
    >"$1/var/lib/dpkg/status.d/$(dpkg-deb --field "$deb" Package)"
done`

const users = `printf 'root:x:0:0:root:/root:/sbin/nologin\\nringproof:x:65532:65532::/nonexistent:/sbin/nologin\\n' >"$1/etc/passwd"
printf 'root:x:0:\\nringproof:x:65532:\\n' >"$1/etc/group"`
