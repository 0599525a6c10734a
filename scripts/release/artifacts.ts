// Builds what a release consists of: images, Debian packages, the client, and the files that an installation starts from.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Architecture, architectures } from '../image/architecture.ts'
import { buildImages, imageNames } from '../image/build.ts'
import { repository } from '../image/program.ts'
import { buildPackage } from '../package/deb.ts'
import { run } from '../stack/process.ts'
import { type Contents, readContents } from './contents.ts'
import { writeImageArchives } from './image-archives.ts'
import { debianVersion, version } from './version.ts'

/** An image or a package, with what is inside. */
export type Artifact = {
  readonly file: string
  readonly type: 'container' | 'application'
  readonly name: string
  readonly purl: string
  readonly contents: Contents
}
type Report = (line: string) => void

/** Returns the archives for `docker load`, and the digests under which a registry will know the images. */
export async function makeImages(
  directory: string,
  time: string,
  report: Report,
): Promise<{ readonly archives: readonly Artifact[]; readonly indexes: ReadonlyMap<string, string> }> {
  const built: { readonly name: string; readonly architecture: Architecture; readonly archive: string }[] = []
  for (const architecture of architectures) {
    const images = await buildImages(imageNames, architecture, report)
    for (const [at, { archive }] of images.entries()) built.push({ name: imageNames[at] ?? '', architecture, archive })
  }
  const archives: Artifact[] = []
  const indexes = new Map<string, string>()
  for (const name of imageNames) {
    const own = built
      .filter((one) => one.name === name)
      .map((one) => ({ ...one, target: join(directory, basename(one.archive)) }))
    const oci = `${name}-${version}.oci.tar`
    indexes.set(`${name}:${version}`, await writeImageArchives(own, join(directory, oci), time))
    for (const { architecture, target } of own) {
      const purl = `pkg:generic/${name}@${version}?arch=${architecture}`
      archives.push({ file: target, type: 'container', name, purl, contents: await readContents(target) })
    }
    report(`${oci} with ${own.length} architectures`)
  }
  return { archives, indexes }
}

export async function makePackages(directory: string, report: Report): Promise<readonly Artifact[]> {
  const packages: Artifact[] = []
  for (const architecture of architectures) {
    const built = await buildPackage(architecture)
    const file = join(directory, basename(built))
    copyFileSync(built, file)
    const purl = `pkg:deb/ringproof/ringproof@${debianVersion}?arch=${architecture}`
    packages.push({ file, type: 'application', name: 'ringproof', purl, contents: await readContents(file) })
    report(basename(file))
  }
  return packages
}

/** The client as npm publishes it. npm gives every file the same date. */
export async function makeSdk(directory: string): Promise<void> {
  const built = mkdtempSync(join(tmpdir(), 'ringproof-client-'))
  try {
    await run([process.execPath, join(repository, 'scripts/build-sdk.ts'), built])
    await run(['npm', 'pack', built, '--pack-destination', directory, '--offline'])
  } finally {
    rmSync(built, { recursive: true })
  }
}

/** For an installation without a clone of the repository: compose files, samples, and the pages for operators. */
export async function makeDeployFiles(directory: string): Promise<void> {
  const tar = join(directory, 'deploy.tar')
  const docs = [
    'docs/guides',
    'docs/operations',
    'docs/reference',
    'docs/README.md',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
  ]
  await run(['git', 'archive', `--output=${tar}`, 'HEAD', '--', 'deploy', ...docs], { cwd: repository })
  writeFileSync(join(directory, `ringproof-${version}-deploy.tar.gz`), gzipSync(readFileSync(tar), { level: 9 }))
  rmSync(tar)
}
