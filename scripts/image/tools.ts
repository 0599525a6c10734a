// What builds and runs images, from Debian's packages.

import { installPackage, refreshPackageLists } from '../stack/debian.ts'
import { run } from '../stack/process.ts'

// A package, and a command that fails if it is missing.
const packages: readonly [name: string, probe: readonly string[]][] = [
  ['mmdebstrap', ['mmdebstrap', '--version']],
  ['buildah', ['buildah', '--version']],
  ['binutils', ['readelf', '--version']],
]

/** Installs what is missing; root may do that, anyone else gets apt's refusal. */
export async function installImageTools(others: readonly [string, readonly string[]][] = []): Promise<void> {
  const missing: string[] = []
  for (const [name, probe] of [...packages, ...others]) {
    await run(probe).catch(() => missing.push(name))
  }
  if (missing.length > 0) await refreshPackageLists()
  for (const name of missing) await installPackage(name)
}
