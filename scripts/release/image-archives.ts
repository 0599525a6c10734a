// Two files from the archives that `npm run image` writes, with compressed layers: for `docker load` one per architecture, and
// for registries one in OCI's layout with all architectures. Both have the configuration, and so the ID, of the built image.

import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Architecture } from '../image/architecture.ts'
import { run } from '../stack/process.ts'
import { version } from './version.ts'

type BuiltArchive = {
  readonly architecture: Architecture
  readonly archive: string
  // The file for `docker load` to write.
  readonly target: string
}

/** Writes the files; returns the digest under which a registry will know the image. */
export async function writeImageArchives(
  built: readonly BuiltArchive[],
  ociTarget: string,
  time: string,
): Promise<string> {
  const layout = mkdtempSync(join(tmpdir(), 'ringproof-layout-'))
  try {
    mkdirSync(join(layout, blobFolder), { recursive: true })
    const manifests: object[] = []
    for (const one of built) manifests.push(await addArchitecture(one, layout, time))
    const list = storeJson(types.list, { manifests }, layout)
    const annotations = { 'org.opencontainers.image.ref.name': version }
    const head = { schemaVersion: 2, mediaType: types.list, manifests: [{ ...list, annotations }] }
    writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
    writeFileSync(join(layout, 'index.json'), JSON.stringify(head))
    await packSame(layout, ['oci-layout', 'index.json', 'blobs'], ociTarget, time)
    return list.digest
  } finally {
    rmSync(layout, { recursive: true })
  }
}

const blobFolder = 'blobs/sha256'
const types = {
  list: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const

type Descriptor = { readonly mediaType: string; readonly digest: string; readonly size: number }
type DockerManifest = {
  readonly Config: string
  readonly RepoTags: readonly string[]
  readonly Layers: readonly string[]
}

async function addArchitecture(
  { architecture, archive, target }: BuiltArchive,
  layout: string,
  time: string,
): Promise<object> {
  const tree = join(layout, 'built')
  mkdirSync(tree)
  await run(['tar', '-x', '-C', tree, '-f', archive])
  const [{ Config, RepoTags, Layers }] = JSON.parse(readFileSync(join(tree, 'manifest.json'), 'utf8')) as [
    DockerManifest,
  ]
  const config = await storeFile(join(tree, Config), types.config, layout)
  const layers: Descriptor[] = []
  for (const layer of Layers) {
    const compressed = join(tree, `${layer}.gz`)
    // Node writes no date into the header.
    await pipeline(createReadStream(join(tree, layer)), createGzip(), createWriteStream(compressed))
    layers.push(await storeFile(compressed, types.layer, layout))
  }
  rmSync(tree, { recursive: true })
  const names = { Config: blobPath(config), RepoTags, Layers: layers.map(blobPath) }
  writeFileSync(join(layout, 'manifest.json'), JSON.stringify([names]))
  await packSame(layout, ['manifest.json', names.Config, ...names.Layers], target, time)
  const manifest = storeJson(types.manifest, { config, layers }, layout)
  return { ...manifest, platform: { architecture, os: 'linux' } }
}

async function storeFile(path: string, mediaType: string, layout: string): Promise<Descriptor> {
  const descriptor = { mediaType, digest: `sha256:${await digestOf(path)}`, size: statSync(path).size }
  renameSync(path, join(layout, blobPath(descriptor)))
  return descriptor
}

function storeJson(mediaType: string, content: object, layout: string): Descriptor {
  const text = JSON.stringify({ schemaVersion: 2, mediaType, ...content })
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
  const descriptor = { mediaType, digest, size: Buffer.byteLength(text) }
  writeFileSync(join(layout, blobPath(descriptor)), text)
  return descriptor
}

function blobPath({ digest }: Descriptor): string {
  return join(blobFolder, digest.replace('sha256:', ''))
}

/** SHA-256 of a file, in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** A tar file that depends on nothing but names and contents. */
async function packSame(directory: string, names: readonly string[], target: string, time: string): Promise<void> {
  const same = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  await run(['tar', '-c', '-C', directory, ...same, '-f', target, ...names])
}
