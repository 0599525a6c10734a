// Where the files of a release come from, as SLSA's provenance describes it. It contains no time and no name of a machine, so the
// same commit gives the same text.

import { join } from 'node:path'
import { repository } from '../image/program.ts'
import { run } from '../stack/process.ts'
import type { DebianPackage } from './contents.ts'
import { digestOf } from './image-archives.ts'
import { debianPurl } from './sbom.ts'
import { version } from './version.ts'

export type Provenance = {
  readonly buildDefinition: {
    readonly buildType: string
    readonly externalParameters: object
    readonly internalParameters: object
    readonly resolvedDependencies: readonly Resource[]
  }
  readonly runDetails: { readonly builder: { readonly id: string; readonly version: Readonly<Record<string, string>> } }
}
type Resource = {
  readonly name?: string
  readonly uri?: string
  readonly digest: Readonly<Record<string, string>>
}

export async function provenanceOf(commit: string, debian: readonly DebianPackage[]): Promise<Provenance> {
  const packages = new Map(debian.map((one) => [debianPurl(one), one.sha256]))
  return {
    buildDefinition: {
      buildType: 'https://ringproof.example/build/npm-run-release/v1',
      externalParameters: { version, source: { gitCommit: commit } },
      internalParameters: {},
      resolvedDependencies: [
        { name: 'source', uri: `pkg:generic/ringproof@${version}`, digest: { gitCommit: commit } },
        // It has the digest of every package of npm, Node included.
        { name: 'package-lock.json', digest: { sha256: await digestOf(join(repository, 'package-lock.json')) } },
        ...[...packages.keys()].toSorted().map((uri) => ({ uri, digest: { sha256: packages.get(uri) ?? '' } })),
      ],
    },
    runDetails: {
      builder: { id: 'https://ringproof.example/builder/maintainer', version: await toolVersions() },
    },
  }
}

async function toolVersions(): Promise<Record<string, string>> {
  const firstLine = async (...command: readonly string[]) => (await run(command)).split('\n')[0]?.trim() ?? ''
  return {
    node: process.version,
    npm: await firstLine('npm', '--version'),
    mmdebstrap: await firstLine('mmdebstrap', '--version'),
    buildah: await firstLine('buildah', '--version'),
    'dpkg-deb': await firstLine('dpkg-deb', '--version'),
  }
}
