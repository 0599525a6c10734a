// The package as published: its files, both module formats, and its types under every module resolution.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { packSdk } from '../support/process/packed-sdk.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const { tarball, folder } = packSdk(fileDirectory())
const installed = join(folder, 'node_modules/@ringproof/client')
const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

test('contains the built modules with their types, licence and readme, and nothing else', () => {
  const files = execFileSync('tar', ['--list', '--file', tarball], { encoding: 'utf8' }).trim().split('\n')
  const modules = ['cli', 'client', 'error-of-code', 'errors', 'listen', 'methods', 'transport', 'webhooks']
  const built = ['cjs', 'esm'].flatMap((kind) =>
    modules.flatMap((name) => [`package/dist/${kind}/${name}.js`, `package/dist/${kind}/${name}.d.ts`]),
  )
  const others = ['dist/cjs/package.json', 'package.json', 'LICENSE', 'README.md'].map((name) => `package/${name}`)
  assert.deepEqual(files.toSorted(), [...built, ...others].toSorted())
})

test('has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>
  for (const name of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    assert.equal(manifest[name], undefined)
})

const program = (load: string) => `${load}
const { Ringproof, CooldownError, webhooks } = client
const ringproof = new Ringproof({ baseUrl: 'https://ringproof.example', key: 'k', serviceId: 1 })
process.stdout.write([typeof ringproof.initCall, CooldownError.name, typeof webhooks.verify].join())
`

test('loads as an ES module and as CommonJS', () => {
  writeFileSync(join(folder, 'load.mjs'), program(`import * as client from '@ringproof/client'`))
  writeFileSync(join(folder, 'load.cjs'), program(`const client = require('@ringproof/client')`))
  for (const name of ['load.mjs', 'load.cjs']) {
    const said = execFileSync(process.execPath, [join(folder, name)], { encoding: 'utf8' })
    assert.equal(said, 'function,CooldownError,function', name)
  }
})

test('a strict TypeScript program compiles against its types alone, and a wrong program does not', () => {
  const compile = (line: string) => {
    writeFileSync(
      join(folder, 'typed.mts'),
      `import { Ringproof, CooldownError, webhooks } from '@ringproof/client'
const ringproof = new Ringproof({ baseUrl: 'https://ringproof.example', key: 'k', serviceId: 1 })
export const { vendor_id: id, code } = await ringproof.initCall({ phone: '79000000001', voice: true })
export const status: 0 | 1 = (await ringproof.waitForResult(id)).call_status
export const number: string = (await webhooks.verify('', new Map<string, string>() as never, '')).clientNumber
export const seconds = (error: unknown): number => (error instanceof CooldownError ? error.retryAfterSeconds : 0)
${line}
`,
    )
    const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022']
    const args = [tsc, ...options, '--lib', 'es2022', '--types', '', '--noEmit', join(folder, 'typed.mts')]
    return spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder })
  }
  const good = compile('')
  assert.equal(good.status, 0, good.stdout)
  for (const wrong of [
    'ringproof.initCall({})',
    'ringproof.initCall({ phone: true })',
    'export const n: number = code',
  ]) {
    assert.notEqual(compile(wrong).status, 0, wrong)
  }
})

test('publint reports nothing', async () => {
  const { messages } = await publint({ pkgDir: installed, strict: true })
  assert.deepEqual(messages, [])
})

test('its types resolve under every module resolution that supports exports', async () => {
  const { types, problems } = (await checkPackage(
    createPackageFromTarballData(new Uint8Array(readFileSync(tarball))),
  )) as { types: unknown; problems?: unknown[] }
  assert(types !== false)
  assert.deepEqual(problems, [])
})
