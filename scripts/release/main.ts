// Runs as `npm run release`: everything that is published of one version, in .cache/release/VERSION. Signing needs no network. The
// same commit gives the same files on every machine, except for signatures, as long as Debian's packages are the same.
//
//   npm run release -- --push REGISTRY/OWNER    copies the images to a registry afterwards, as REGISTRY_USER with REGISTRY_PASSWORD
//
//   COSIGN_KEY       the private key, a file or an address that cosign understands; without it a test key is created
//   COSIGN_PASSWORD  its password

import { copyFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { assertCommitted, headCommit } from '../image/build.ts'
import { noticesFile, repository } from '../image/program.ts'
import { installImageTools } from '../image/tools.ts'
import { draftDirectory } from '../stack/draft.ts'
import { run } from '../stack/process.ts'
import { type Artifact, makeDeployFiles, makeImages, makePackages, makeSdk } from './artifacts.ts'
import { type Cosign, openCosign } from './cosign.ts'
import { digestOf } from './image-archives.ts'
import { type Provenance, provenanceOf } from './provenance.ts'
import { pushImages } from './push.ts'
import { assertReleasable } from './releasable.ts'
import { billOf, lockedPackages, type Sbom } from './sbom.ts'
import { version } from './version.ts'

const target = join(repository, '.cache/release', version)
const bundleName = `ringproof-${version}-airgapped.tar`

const { values } = parseArgs({ options: { push: { type: 'string' } } })

try {
  await main(values.push)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

async function main(registry: string | undefined): Promise<void> {
  await assertCommitted()
  const isTagged = await assertReleasable()
  if (registry !== undefined && !isTagged)
    throw new Error(`HEAD has no tag v${version}: only a tagged commit is pushed.`)
  await installImageTools()
  const cosign = await openCosign(process.env['COSIGN_KEY'])
  const { revision, time } = await headCommit()
  const draft = await draftDirectory(target)

  const { archives, indexes } = await makeImages(draft, time, report)
  const artifacts = [...archives, ...(await makePackages(draft, report))]
  await makeSdk(draft)
  await makeDeployFiles(draft)
  copyFileSync(join(repository, 'docs/operations/verify.md'), join(draft, 'verify.md'))
  writeFileSync(join(draft, noticesFile), artifacts[0]?.contents.notices ?? '')
  const bills = await writeBills(artifacts, time)
  const provenance = await provenanceOf(
    revision,
    artifacts.flatMap(({ contents }) => contents.debian),
  )
  writeFileSync(join(draft, 'provenance.json'), `${JSON.stringify(provenance, undefined, 2)}\n`)
  const digests = await writeDigests(draft)

  await signAll(cosign, draft, bills, provenance, new Map([...digests, ...indexes]))
  writeFileSync(join(draft, 'cosign.pub'), cosign.publicKey)
  await writeBundle(draft)
  rmSync(target, { recursive: true, force: true })
  renameSync(draft, target)
  report(`signed with ${cosign.isTestKey ? 'a test key' : 'COSIGN_KEY'}`)
  if (!isTagged) report(`HEAD has no tag v${version}: this is a rehearsal`)
  for (const name of readdirSync(target).toSorted()) {
    report(`${relative(repository, join(target, name))} ${Math.ceil(statSync(join(target, name)).size / 1000)} kB`)
  }
  if (registry === undefined) return
  const { REGISTRY_USER: user = '', REGISTRY_PASSWORD: password = '' } = process.env
  await pushImages(target, version, registry, user === '' ? undefined : { user, password }, report)
}

type Bill = { readonly file: string; readonly sha256: string; readonly bill: Sbom }

async function writeBills(artifacts: readonly Artifact[], time: string): Promise<readonly Bill[]> {
  const locked = await lockedPackages()
  const bills: Bill[] = []
  for (const { file, contents, ...subject } of artifacts) {
    const sha256 = await digestOf(file)
    const bill = billOf({ ...subject, sha256 }, contents, locked, time)
    writeFileSync(`${file}.cdx.json`, `${JSON.stringify(bill, undefined, 1)}\n`)
    report(`${basename(file)}: ${bill.components.length} components`)
    bills.push({ file, sha256, bill })
  }
  return bills
}

async function writeDigests(draft: string): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>()
  for (const name of readdirSync(draft).toSorted()) digests.set(name, await digestOf(join(draft, name)))
  const lines = [...digests].map(([name, digest]) => `${digest}  ${name}\n`)
  writeFileSync(join(draft, 'SHA256SUMS'), lines.join(''))
  return digests
}

// One signature for all files, by their digests; one attestation per bill of materials, and one of the provenance for all
// files and for the images under their names in a registry.
async function signAll(
  cosign: Cosign,
  draft: string,
  bills: readonly Bill[],
  provenance: Provenance,
  digests: ReadonlyMap<string, string>,
): Promise<void> {
  await cosign.sign(join(draft, 'SHA256SUMS'))
  for (const { file, sha256, bill } of bills) {
    const subject = [{ name: basename(file), digest: { sha256 } }]
    const statement = { predicateType: 'https://cyclonedx.org/bom', subject, predicate: bill }
    await cosign.attest(statement, `${file}.cdx.sigstore.json`)
  }
  const subject = [...digests].map(([name, digest]) => ({ name, digest: { sha256: digest.replace('sha256:', '') } }))
  const statement = { predicateType: 'https://slsa.dev/provenance/v1', subject, predicate: provenance }
  await cosign.attest(statement, join(draft, 'provenance.sigstore.json'))
}

// Without the key: it must come from another place.
async function writeBundle(draft: string): Promise<void> {
  const names = readdirSync(draft).filter((name) => !/\.oci\.tar$|\.tgz$|^cosign\.pub$/.test(name))
  const rename = `--transform=s,^,ringproof-${version}/,`
  await run(['tar', '-c', '--owner=0', '--group=0', '-C', draft, rename, '-f', join(draft, bundleName), ...names])
}

function report(line: string): void {
  process.stdout.write(`${line}\n`)
}
