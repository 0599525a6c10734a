// Runs as `npm run verify -- release`, as root: makes the release of HEAD, or takes the one that was made of it, and types
// docs/operations/verify.md word for word where there is no network; then with changed files, which must be refused. Needs a
// clean working tree, because a release is made from HEAD.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { architectures, thisArchitecture } from '../../scripts/image/architecture.ts'
import { type Box, openBox } from '../../scripts/image/box.ts'
import { buildah, imageNames, installedImages } from '../../scripts/image/build.ts'
import { startDocker } from '../../scripts/image/docker.ts'
import { noticesFile, repository } from '../../scripts/image/program.ts'
import { type NpmPackage, withFiles } from '../../scripts/release/contents.ts'
import { cosignFolder, openCosign, type Statement, testKey } from '../../scripts/release/cosign.ts'
import type { Sbom } from '../../scripts/release/sbom.ts'
import { version } from '../../scripts/release/version.ts'
import { cycloneDxChecker } from '../support/cyclonedx.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { commandsOf, openTerminal, type Terminal } from './typed-page.ts'

// A release takes minutes.
const building = { timeout: 1_500_000 }
const run = promisify(execFile)
const directory = fileDirectory()
const release = join(repository, '.cache/release', version)
const bundle = `ringproof-${version}-airgapped.tar`
const image = `ringproof-${version}-${thisArchitecture()}.tar`
const page = readFileSync(join(repository, 'docs/operations/verify.md'), 'utf8')
const [getFiles = ''] = commandsOf(page, 'Get the files')
const [signature = '', signatureByOpenssl = ''] = commandsOf(page, 'Check the signature')
const [bills = ''] = commandsOf(page, 'Check what is inside')
const [provenance = ''] = commandsOf(page, 'Check where it comes from')
const [load = '', loadDemo = ''] = commandsOf(page, 'Install without internet')
let head = ''
let box: Box

before(async () => {
  head = (await run('git', ['rev-parse', 'HEAD'], { cwd: repository })).stdout.trim()
  if (!isReleased(head)) await run('npm', ['run', '-s', 'release'], { cwd: repository, ...building })
  box = await openBox()
}, building)

after(() => box.close())

test('without a network, signature, bills of materials and provenance of every file verify', async () => {
  const terminal = open(downloads('untouched'))
  assert.equal(await terminal.type('ip -oneline address show scope global'), '')
  await terminal.type(getFiles)
  const files = imagesAndPackages(release)
  assert.equal(files.length, (imageNames.length + 1) * architectures.length)
  const shown = await terminal.type(signature)
  assert.match(shown, /^Verified OK$/m)
  for (const file of files) assert(shown.includes(`${file}: OK\n`), `${file} has no digest:\n${shown}`)
  assert.match(await terminal.type(signatureByOpenssl), /^Verified OK$/m)
  for (const check of [bills, provenance]) {
    const verified = await terminal.type(check)
    assert.equal([...verified.matchAll(/^Verified OK$/gm)].length, files.length, verified)
  }
  assert((await terminal.type(provenance)).includes(`"gitCommit": "${head}"`))
  await terminal.close()
})

// What is changed, and which commands of the page refuse it.
type Change = readonly [what: string, change: (files: string) => Promise<void> | void, refusedBy: readonly string[]]
const changes: readonly Change[] = [
  ['an image', (files) => changeByte(join(files, image)), [signature, bills, provenance]],
  ['a package', (files) => changeByte(join(files, debianPackage())), [signature, bills, provenance]],
  ['a bill of materials', (files) => changeByte(join(files, `${image}.cdx.json`)), [signature]],
  ['the provenance', (files) => changeByte(join(files, 'provenance.json')), [signature]],
  ['the list of digests', (files) => changeByte(join(files, 'SHA256SUMS')), [signature, signatureByOpenssl]],
  ['an attested bill of materials', (files) => changeByte(join(files, `${image}.cdx.sigstore.json`)), [bills]],
  ['the attested provenance', (files) => changeByte(join(files, 'provenance.sigstore.json')), [provenance]],
  ['an image with the bill of another', giveBillOfAnother, [bills]],
  ['an image that nobody signed', addUnsigned, [bills, provenance]],
  ['all signatures, by another key', signAsStranger, [signature, signatureByOpenssl, bills, provenance]],
]

for (const [what, change, refusedBy] of changes) {
  test(`changed: ${what}. ${refusedBy.length} of the four checks refuse it`, async () => {
    const files = filesOfThisArchitecture(what)
    await change(files)
    for (const check of [signature, signatureByOpenssl, bills, provenance]) {
      assert.equal(await isRefused(files, check), refusedBy.includes(check), check)
    }
    rmSync(files, { recursive: true })
  })
}

test('bills of materials are valid and name every package that is found in their file', async () => {
  const files = imagesAndPackages(release)
  const billIn = (file: string) => JSON.parse(readFileSync(join(release, `${file}.cdx.json`), 'utf8')) as Sbom
  const faultsOf = cycloneDxChecker(billIn(image).specVersion)
  for (const file of files) {
    const bill = billIn(file)
    assert.deepEqual(faultsOf(bill), [], file)
    const named = new Set(bill.components.map((one) => `${one.name} ${one.version}`))
    await withFiles(join(release, file), (root) => {
      const found = [...npmPackagesIn(root), ...debianPackagesIn(root)]
      // Kamailio needs little besides the C library.
      assert(found.length > (file.startsWith('ringproof-edge') ? 6 : 20), file)
      assert.deepEqual(
        found.filter((one) => !named.has(one)),
        [],
        file,
      )
    })
  }
})

test('images and packages contain the licences of what others wrote', async () => {
  for (const file of imagesAndPackages(release)) {
    await withFiles(join(release, file), (root) => {
      const without = globSync('var/lib/dpkg/status.d/*', { cwd: root })
        .map((path) => /^Package: (.*)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? '')
        .filter((name) => globSync(`{,opt/servers/*/*/}usr/share/doc/${name}/copyright`, { cwd: root }).length === 0)
      assert.deepEqual(without, [], file)
      if (/^ringproof-(asterisk|edge)/.test(file)) return
      const folder = file.endsWith('.deb') ? 'usr/share/doc/ringproof' : 'opt/ringproof'
      const notices = readFileSync(join(root, folder, noticesFile), 'utf8')
      for (const name of ['Node.js', 'fastify', 'react', 'onest']) assert(notices.includes(`\n${name} `), name)
    })
  }
})

test('the OCI archives contain both architectures, with the IDs of the archives for docker load', async () => {
  for (const name of imageNames) {
    for (const architecture of architectures) {
      const source = `oci-archive:${join(release, `${name}-${version}.oci.tar`)}`
      const id = (await buildah('pull', ['--quiet', `--arch=${architecture}`, source])).trim()
      await buildah('rmi', [id])
      const archive = join(release, `${name}-${version}-${architecture}.tar`)
      const { stdout: manifest } = await run('tar', ['-xOf', archive, 'manifest.json'])
      assert(manifest.includes(`"Config":"blobs/sha256/${id}"`), `${name} ${architecture} ${id}: ${manifest}`)
    }
    const { stdout: index } = await run('tar', ['-xOf', join(release, `${name}-${version}.oci.tar`), 'index.json'])
    const { manifests } = JSON.parse(index) as { manifests: { digest: string }[] }
    const attested = attestedStatement(join(release, 'provenance.sigstore.json')).subject
    const subject = attested.find((one) => one.name === `${name}:${version}`)
    assert.deepEqual(
      manifests.map(({ digest }) => digest),
      [`sha256:${subject?.digest.sha256}`],
    )
  }
})

test('the bundle installs without internet', async () => {
  const docker = await startDocker()
  try {
    const terminal = openTerminal(docker.shell(downloads('machine without internet')))
    await terminal.type(getFiles)
    assert.equal([...(await terminal.type(load)).matchAll(/^Loaded image: /gm)].length, installedImages.length)
    assert.match(await terminal.type(loadDemo), /^Loaded image: \S+ringproof-demo:/m)
    const restricted = '--rm --read-only --cap-drop=ALL --security-opt=no-new-privileges --network=none'
    const reference = `localhost/ringproof:${version}`
    assert.match(await terminal.type(`docker run ${restricted} ${reference} --help`), /^Usage: ringproof/)
    assert.equal((await terminal.type(`docker run ${restricted} ${reference} --version`)).trim(), version)
    const used = await terminal.type('grep --no-filename --only-matching "ringproof[a-z-]*:.*" compose.yaml edge.yaml')
    for (const name of installedImages) assert(used.includes(`${name}:\${VERSION:-${version}}`), used)
    await terminal.close()
  } finally {
    await docker.close()
  }
})

test('a release of the same commit in another directory has the same digests', building, async () => {
  const clone = join(directory, 'clone')
  await run('git', ['clone', '--quiet', repository, clone])
  // Hard links: a link to the directory would count as a change of the tree.
  await run('cp', ['--archive', '--link', join(repository, 'node_modules'), join(clone, 'node_modules')])
  mkdirSync(join(clone, '.cache/release'), { recursive: true })
  for (const path of ['images', 'release/cosign']) {
    symlinkSync(join(repository, '.cache', path), join(clone, '.cache', path))
  }
  // With its own test key.
  const env = { ...process.env, COSIGN_KEY: undefined }
  await run('npm', ['run', '-s', 'release'], { cwd: clone, env, ...building })
  const again = join(clone, '.cache/release', version)
  const digestsIn = (folder: string) => readFileSync(join(folder, 'SHA256SUMS'), 'utf8').split('\n')
  assert.deepEqual(digestsIn(again), digestsIn(release))
  assert.notDeepEqual(readFileSync(join(again, 'cosign.pub')), readFileSync(join(release, 'cosign.pub')))
})

function isReleased(commit: string): boolean {
  const path = join(release, 'provenance.json')
  return existsSync(path) && readFileSync(path, 'utf8').includes(commit)
}

function imagesAndPackages(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^ringproof.*-(amd64|arm64)\.tar$|\.deb$/.test(name))
    .toSorted()
}

function debianPackage(): string {
  return imagesAndPackages(release).find((name) => name.endsWith(`_${thisArchitecture()}.deb`)) ?? ''
}

// What an operator has downloaded.
function downloads(name: string): string {
  const place = join(directory, name)
  mkdirSync(place)
  for (const file of [bundle, 'cosign.pub']) symlinkSync(join(release, file), join(place, file))
  return place
}

// As after unpacking the bundle, but only for one architecture, which is faster.
function filesOfThisArchitecture(name: string): string {
  const place = join(directory, name)
  mkdirSync(place)
  const isOther = (file: string) =>
    file === bundle || architectures.some((one) => one !== thisArchitecture() && file.includes(one))
  for (const file of readdirSync(release).filter((one) => !isOther(one) && !/\.oci\.tar/.test(one))) {
    copyFileSync(join(release, file), join(place, file))
  }
  return place
}

function open(place: string): Terminal {
  const [program = '', ...args] = box.inside(['bash', '--noprofile', '--norc'], place)
  const env = { PATH: `${cosignFolder}:/usr/sbin:/usr/bin:/sbin:/bin`, HOME: directory }
  return openTerminal(spawn(program, args, { env, cwd: '/' }))
}

async function isRefused(files: string, check: string): Promise<boolean> {
  const terminal = open(files)
  const refused = await terminal.type(check).then(
    () => false,
    () => true,
  )
  await terminal.close()
  return refused
}

function changeByte(path: string): void {
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

function giveBillOfAnother(files: string): void {
  const other = image.replace('ringproof-', 'ringproof-asterisk-')
  copyFileSync(join(files, `${other}.cdx.sigstore.json`), join(files, `${image}.cdx.sigstore.json`))
}

function addUnsigned(files: string): void {
  const added = join(files, `ringproof-better-${image.replace('ringproof-', '')}`)
  copyFileSync(join(files, image), added)
  changeByte(added)
}

// With the same statements, so that nothing but the key is wrong.
async function signAsStranger(files: string): Promise<void> {
  const stranger = await openCosign(await testKey(join(directory, 'stranger')))
  await stranger.sign(join(files, 'SHA256SUMS'))
  for (const name of readdirSync(files).filter((one) => /(cdx|provenance)\.sigstore\.json$/.test(one))) {
    await stranger.attest(attestedStatement(join(files, name)), join(files, name))
  }
}

function attestedStatement(bundleFile: string): Statement {
  const { dsseEnvelope } = JSON.parse(readFileSync(bundleFile, 'utf8')) as { dsseEnvelope: { payload: string } }
  return JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString()) as Statement
}

function npmPackagesIn(root: string): readonly string[] {
  const manifests = globSync('{opt,usr/lib}/ringproof/**/node_modules/{*,@*/*}/package.json', { cwd: root })
  return manifests.map((path) => {
    const { name, version: one } = JSON.parse(readFileSync(join(root, path), 'utf8')) as NpmPackage
    return `${name} ${one}`
  })
}

function debianPackagesIn(root: string): readonly string[] {
  return globSync('var/lib/dpkg/status.d/*', { cwd: root }).map((path) => {
    const fields = readFileSync(join(root, path), 'utf8')
    return ['Package', 'Version'].map((name) => new RegExp(`^${name}: (.*)$`, 'm').exec(fields)?.[1]).join(' ')
  })
}
