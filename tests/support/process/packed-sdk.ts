// The SDK as npm would publish it: built, packed, and unpacked into a folder outside this repository.

import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../../..')

export type PackedSdk = {
  readonly tarball: string
  // Programs in this folder can import it by name.
  readonly folder: string
}

export function packSdk(folder: string): PackedSdk {
  const built = join(folder, 'built')
  execFileSync(process.execPath, [join(repository, 'scripts/build-sdk.ts'), built])
  const args = ['pack', built, '--pack-destination', folder, '--json', '--offline']
  const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) as {
    filename: string
  }[]
  const tarball = join(folder, packed?.filename ?? '')
  const installed = join(folder, 'node_modules/@ringproof/client')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['--extract', '--file', tarball, '--directory', installed, '--strip-components=1'])
  return { tarball, folder }
}
