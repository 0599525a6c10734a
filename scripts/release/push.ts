// Copies the images of a release to a registry, all architectures of each under one name. A registry then knows them by the digests
// that the provenance names.

import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { installMissing } from '../stack/debian.ts'
import { run } from '../stack/process.ts'

type Login = { readonly user: string; readonly password: string }

/** The registry is a host with a path, such as registry.example.org/somebody. Names of registries are in small letters. */
export async function pushImages(
  directory: string,
  version: string,
  registry: string,
  login: Login | undefined,
  report: (line: string) => void,
): Promise<void> {
  await installMissing([['skopeo', ['skopeo', '--version']]])
  const place = registry.toLowerCase()
  const [host = ''] = place.split('/')
  const folder = mkdtempSync(join(tmpdir(), 'ringproof-login-'))
  try {
    for (const file of globSync(`*-${version}.oci.tar`, { cwd: directory }).toSorted()) {
      const reference = `${place}/${basename(file, `-${version}.oci.tar`)}:${version}`
      const source = `oci-archive:${join(directory, file)}:${version}`
      const args = ['--all', '--preserve-digests', ...options(host, folder, login), source, `docker://${reference}`]
      await run(['skopeo', 'copy', ...args])
      report(`pushed ${reference}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// In a file: other processes can read a command line. Only a registry on this machine may do without TLS.
function options(host: string, folder: string, login: Login | undefined): readonly string[] {
  const plain = /^(127\.0\.0\.1|localhost)(:|$)/.test(host) ? ['--dest-tls-verify=false'] : []
  if (login === undefined) return plain
  const file = join(folder, 'auth.json')
  const auth = Buffer.from(`${login.user}:${login.password}`).toString('base64')
  writeFileSync(file, JSON.stringify({ auths: { [host]: { auth } } }), { mode: 0o600 })
  return [...plain, `--dest-authfile=${file}`]
}
