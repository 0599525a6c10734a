// What builds and runs images, from Debian's packages.

import { installMissing, type ProbedPackage } from '../stack/debian.ts'

const packages: readonly ProbedPackage[] = [
  ['mmdebstrap', ['mmdebstrap', '--version']],
  ['buildah', ['buildah', '--version']],
  ['binutils', ['readelf', '--version']],
]

export async function installImageTools(others: readonly ProbedPackage[] = []): Promise<void> {
  await installMissing([...packages, ...others])
}
