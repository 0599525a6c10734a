// The images of a release in a registry: every architecture, under the digest that the provenance names, and only with the password.
// The registry is a minimal one on loopback; skopeo is the real one.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { writeImageArchives } from '../../scripts/release/image-archives.ts'
import { pushImages } from '../../scripts/release/push.ts'
import { version } from '../../scripts/release/version.ts'
import { run } from '../../scripts/stack/process.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const login = { user: 'owner', password: 'correct horse' }
const directory = fileDirectory()
const blobs = new Map<string, Buffer>()
const manifests = new Map<string, Buffer>()
const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1')
await once(server, 'listening')
const registry = `127.0.0.1:${(server.address() as AddressInfo).port}/Owner`

test('an image is pushed with both architectures under the digest of its index', async (t) => {
  t.after(() => server.close())
  const digest = await makeImage()
  const lines: string[] = []
  await assert.rejects(
    pushImages(directory, version, registry, { ...login, password: 'wrong' }, () => undefined),
    /unauthorized|authentication required/i,
  )
  assert.equal(manifests.size, 0)
  await pushImages(directory, version, registry, login, (line) => lines.push(line))
  assert.deepEqual(lines, [`pushed ${registry.toLowerCase()}/ringproof:${version}`])
  const index = manifests.get(version) ?? assert.fail('no manifest under the version')
  assert.equal(digestOf(index), digest)
  const { manifests: listed } = JSON.parse(index.toString()) as {
    manifests: { digest: string; platform: { architecture: string } }[]
  }
  assert.deepEqual(
    listed.map(({ platform }) => platform.architecture),
    ['amd64', 'arm64'],
  )
  for (const one of listed) assert(manifests.has(one.digest), one.digest)
})

// As `npm run image` writes archives, with one small layer. Returns the digest of the index.
async function makeImage(): Promise<string> {
  const built = []
  for (const architecture of ['amd64', 'arm64'] as const) {
    const tree = join(directory, architecture)
    mkdirSync(tree)
    writeFileSync(join(tree, 'file'), architecture)
    await run(['tar', '-c', '-C', tree, '-f', join(tree, 'layer.tar'), 'file'])
    const layer = (await run(['sha256sum', join(tree, 'layer.tar')])).slice(0, 64)
    const config = { architecture, os: 'linux', config: {}, rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] } }
    writeFileSync(join(tree, 'config.json'), JSON.stringify(config))
    const manifest = [{ Config: 'config.json', RepoTags: [`localhost/ringproof:${version}`], Layers: ['layer.tar'] }]
    writeFileSync(join(tree, 'manifest.json'), JSON.stringify(manifest))
    const archive = join(directory, `${architecture}.tar`)
    await run(['tar', '-c', '-C', tree, '-f', archive, 'manifest.json', 'config.json', 'layer.tar'])
    built.push({ architecture, archive, target: join(directory, `loadable-${architecture}.tar`) })
  }
  return writeImageArchives(built, join(directory, `ringproof-${version}.oci.tar`), '0')
}

// What a push needs of the distribution API.
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request)
  const send = (status: number, headers: Record<string, string> = {}) => response.writeHead(status, headers).end()
  const basic = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`
  if (request.headers.authorization !== basic) return void send(401, { 'www-authenticate': 'Basic realm="registry"' })
  const url = new URL(request.url ?? '', 'http://registry')
  const name = decodeURIComponent(url.pathname.split('/').at(-1) ?? '')
  if (url.pathname === '/v2/') return void send(200)
  if (url.pathname.includes('/blobs/uploads/')) {
    if (request.method === 'POST') return void send(202, { location: `${url.pathname}${blobs.size}-${Date.now()}` })
    const upload = Buffer.concat([blobs.get(name) ?? Buffer.alloc(0), body])
    if (request.method === 'PATCH') {
      blobs.set(name, upload)
      return void send(202, { location: url.pathname, range: `0-${upload.length - 1}` })
    }
    blobs.set(url.searchParams.get('digest') ?? '', upload)
    return void send(201, { location: url.pathname })
  }
  const kept = url.pathname.includes('/manifests/') ? manifests : blobs
  if (request.method === 'PUT') {
    kept.set(name, body)
    kept.set(digestOf(body), body)
    return void send(201, { 'docker-content-digest': digestOf(body) })
  }
  const found = kept.get(name)
  send(found ? 200 : 404, found ? { 'content-length': String(found.length) } : {})
}

function digestOf(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`
}
