// Signatures and attestations with cosign, from the packages of a newer Debian than the machine's. A key signs and its public half
// verifies, without a transparency log, so neither needs a network.

import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { repository } from '../image/program.ts'
import { unpackPackage } from '../stack/debian.ts'
import { draftDirectory } from '../stack/draft.ts'
import { run } from '../stack/process.ts'

export type Cosign = {
  /** Writes FILE.sigstore.json, and FILE.sig for openssl. */
  readonly sign: (file: string) => Promise<void>
  /** Signs what is said about files, and writes the given bundle. */
  readonly attest: (statement: Statement, bundle: string) => Promise<void>
  readonly publicKey: string
  readonly isTestKey: boolean
}
export type Statement = {
  readonly predicateType: string
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[]
  readonly predicate: object
}

// The first that checks a bundle with nothing but a key.
const versionMin = '3.0.0'
const suite = 'forky'
const directory = join(repository, '.cache/release')
const offline = ['--yes', '--use-signing-config=false', '--tlog-upload=false']

/** The folder of the program. */
export const cosignFolder = join(directory, 'cosign/usr/bin')

/** Without a key, a test key is used, which is created if it does not exist. */
export async function openCosign(ownKey: string | undefined): Promise<Cosign> {
  await installCosign()
  const key = ownKey ?? (await testKey(join(directory, 'test-key')))
  return {
    sign: async (file) => {
      const bundle = `${file}.sigstore.json`
      await cosign('sign-blob', ...offline, `--key=${key}`, `--bundle=${bundle}`, file)
      const { messageSignature } = JSON.parse(readFileSync(bundle, 'utf8')) as Bundle
      writeFileSync(`${file}.sig`, Buffer.from(messageSignature.signature, 'base64'))
    },
    attest: async (statement, bundle) => {
      const file = `${bundle}.statement`
      writeFileSync(file, JSON.stringify({ _type: 'https://in-toto.io/Statement/v1', ...statement }))
      await cosign('attest-blob', ...offline, `--key=${key}`, `--statement=${file}`, `--bundle=${bundle}`)
      rmSync(file)
    },
    publicKey: await cosign('public-key', `--key=${key}`),
    isTestKey: ownKey === undefined,
  }
}

type Bundle = { readonly messageSignature: { readonly signature: string } }

async function installCosign(): Promise<void> {
  if (existsSync(cosignFolder)) return
  const draft = await draftDirectory(join(directory, 'cosign'))
  const tree = await unpackPackage('cosign', suite, draft)
  // `cosign version` of Debian's package says only "devel".
  const [file = ''] = globSync('apt-*/archives/cosign_*.deb', { cwd: draft })
  const version = basename(file).split('_')[1] ?? ''
  if (version.localeCompare(versionMin, 'en', { numeric: true }) < 0) {
    throw new Error(`cosign ${versionMin} or newer is needed; Debian's ${suite} has ${version}`)
  }
  renameSync(tree, join(directory, 'cosign'))
  rmSync(draft, { recursive: true })
}

/** For rehearsals. It proves nothing about who made the files. */
export async function testKey(folder: string): Promise<string> {
  const prefix = join(folder, 'cosign')
  if (!existsSync(`${prefix}.key`)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await cosign('generate-key-pair', `--output-key-prefix=${prefix}`)
  }
  return `${prefix}.key`
}

async function cosign(...args: readonly string[]): Promise<string> {
  const env = { COSIGN_PASSWORD: '', ...process.env }
  return await run([join(cosignFolder, 'cosign'), ...args], { env })
}
