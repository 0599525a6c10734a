// Builds the images of one commit. The same commit gives the same image IDs on every machine, as long as Debian's packages are
// the same: nothing in an image has another date than the commit, and nothing depends on the directory.

import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../release/version.ts'
import { run } from '../stack/process.ts'
import type { Architecture } from './architecture.ts'
import { asterisk } from './asterisk.ts'
import { type Base, cacheDirectory, debianBase } from './base.ts'
import { assembleDemo } from './demo.ts'
import { edge } from './edge.ts'
import { assembleProgram, checkProgram, repository } from './program.ts'
import { assembleTrimmed } from './trimmed.ts'

const titles = {
  ringproof: 'Ringproof: phone-call verification',
  'ringproof-asterisk': 'Asterisk for a telephony node of Ringproof',
  'ringproof-edge': 'Kamailio as the signalling edge of a telephony node of Ringproof',
  'ringproof-node': 'Ringproof and Asterisk, to prepare a telephony node',
  'ringproof-demo': 'Ringproof with everything it needs and a simulated carrier, to look at it',
} as const
export type ImageName = keyof typeof titles
export const imageNames = Object.keys(titles) as ImageName[]
/** Those that an installation runs. */
export const installedImages = imageNames.filter((name) => name !== 'ringproof-demo')

type Image = {
  readonly reference: string
  readonly id: string
  // For `docker load`.
  readonly archive: string
}

// The C and C++ libraries for Node, certificates, time zones.
const base: Base = {
  name: 'image-base',
  suite: 'trixie',
  packages: ['base-files', 'libc6', 'libstdc++6', 'libgcc-s1', 'ca-certificates', 'tzdata', 'netbase', 'media-types'],
}

/** Builds the named images; `report` gets a line per step. The web pages must be built. */
export async function buildImages(
  names: readonly ImageName[],
  architecture: Architecture,
  report: (line: string) => void,
): Promise<readonly Image[]> {
  await assertCommitted()
  // Outside the repository: the check of the program must not find a package in the repository's node_modules.
  const context = mkdtempSync(join(tmpdir(), 'ringproof-image-'))
  const part = (name: string) => join(context, `${name}-${architecture}`)
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    const result = await work()
    report(`${what}, ${architecture} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`)
    return result
  }
  try {
    const needs = (...some: readonly ImageName[]) => names.some((name) => some.includes(name))
    if (needs('ringproof')) {
      const tar = await timed('Debian packages', () => debianBase(base, architecture))
      copyFileSync(tar, `${part('base')}.tar`)
    }
    await timed('program', () => assembleProgram(part('program'), architecture))
    if (needs('ringproof-asterisk', 'ringproof-node', 'ringproof-demo')) {
      await timed('Asterisk', () => assembleTrimmed(part('asterisk'), asterisk, architecture))
      await checkProgram(part('program'), architecture, join(part('asterisk'), 'usr'))
    }
    if (needs('ringproof-edge', 'ringproof-demo')) {
      await timed('Kamailio', () => assembleTrimmed(part('edge'), edge, architecture))
    }
    if (needs('ringproof-demo')) {
      const parts = { program: part('program'), asterisk: part('asterisk'), edge: part('edge') }
      await timed('demo', () => assembleDemo(part('demo'), parts, architecture))
    }
    makeStateDirectories(context)
    const { time } = await headCommit()
    await run(['find', context, '-exec', 'touch', '--no-dereference', `--date=@${time}`, '{}', '+'])
    const images: Image[] = []
    for (const name of names) images.push(await timed(name, () => buildImage(name, architecture, context)))
    return images
  } finally {
    rmSync(context, { recursive: true })
  }
}

// An image's label names the commit it was built from.
export async function assertCommitted(): Promise<void> {
  const changed = await run(['git', 'status', '--porcelain'], { cwd: repository })
  if (changed !== '') throw new Error(`Images are built from HEAD. Commit or stash these files first:\n${changed}`)
}

export async function headCommit(): Promise<{ readonly revision: string; readonly time: string }> {
  const line = await run(['git', 'log', '-1', '--format=%H %ct'], { cwd: repository })
  const [revision = '', time = ''] = line.trim().split(' ')
  return { revision, time }
}

// The directories that volumes are mounted over.
function makeStateDirectories(context: string): void {
  for (const path of ['state/secrets', 'state/numbering', 'state/mail', 'asterisk-state', 'edge-state', 'demo-state']) {
    mkdirSync(join(context, path), { recursive: true })
    chmodSync(join(context, path), 0o700)
  }
}

async function buildImage(name: ImageName, architecture: Architecture, context: string): Promise<Image> {
  const { revision, time } = await headCommit()
  const labels = {
    title: titles[name],
    version,
    revision,
    created: new Date(Number(time) * 1000).toISOString(),
    licenses: 'Apache-2.0',
  }
  const reference = `localhost/${name}:${version}`
  const idFile = join(context, `${name}.id`)
  const kind = name.replace(/^ringproof-?/, '')
  await buildah('build', [
    `--file=${join(repository, 'deploy/image', kind === '' ? 'Containerfile' : `Containerfile.${kind}`)}`,
    `--platform=linux/${architecture}`,
    `--timestamp=${time}`,
    // The other format, OCI, has no place for a health check.
    '--format=docker',
    '--layers=false',
    '--quiet',
    ...Object.entries(labels).map(([key, value]) => `--label=org.opencontainers.image.${key}=${value}`),
    `--iidfile=${idFile}`,
    context,
  ])
  const builtId = readFileSync(idFile, 'utf8').replace(/^sha256:/, '')
  const draft = join(context, `${name}.tar`)
  await buildah('push', ['--quiet', builtId, `docker-archive:${draft}:${reference}`])
  await buildah('rmi', [builtId])
  const archive = join(cacheDirectory, `${name}-${version}-${architecture}.tar`)
  // docs/operations/install-compose.md loads every archive that is there.
  for (const old of globSync(`${name}-[0-9]*-${architecture}.tar`, { cwd: cacheDirectory })) {
    rmSync(join(cacheDirectory, old))
  }
  return { reference, id: await writeArchive(draft, archive, time), archive }
}

type Manifest = [{ Config: string; RepoTags: string[]; Layers: string[] }]
type ImageConfig = { container?: string; container_config?: unknown; config: { Hostname?: string } }

// buildah writes the random name of its container into the image. Returns the ID, which is the digest of the configuration.
async function writeArchive(draft: string, archive: string, time: string): Promise<string> {
  const directory = mkdtempSync(`${draft}-`)
  await run(['tar', '-x', '-C', directory, '-f', draft])
  const [{ Config, RepoTags, Layers }] = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as Manifest
  const config = JSON.parse(readFileSync(join(directory, Config), 'utf8')) as ImageConfig
  delete config.container
  delete config.container_config
  delete config.config.Hostname
  const text = JSON.stringify(config)
  const id = createHash('sha256').update(text).digest('hex')
  writeFileSync(join(directory, `${id}.json`), text)
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify([{ Config: `${id}.json`, RepoTags, Layers }]))
  const same = [`--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=644']
  await run(['tar', '-c', '-C', directory, ...same, '-f', archive, 'manifest.json', `${id}.json`, ...Layers])
  return id
}

/** Runs buildah with its own storage: the machine's images are not ours. */
export async function buildah(command: string, args: readonly string[]): Promise<string> {
  const storage = join(cacheDirectory, 'storage')
  return await run(['buildah', `--root=${storage}`, `--runroot=${join(storage, 'run')}`, command, ...args])
}
