import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Method } from '@ringproof/contract/methods.ts'
import type { ApiResponse } from '@ringproof/contract/responses.ts'
import { generatedFiles } from '../../scripts/generate/generated-files.ts'
import { samplesIn } from '../../scripts/generate/sample-blocks.ts'
import type { ApiResponses } from '../../sdk/src/methods.ts'
import { readDocs } from '../../server/src/process/docs-files.ts'

const files = generatedFiles()

test('every generated file is up to date', () => {
  assert(files.size > 0)
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const stale = [...files].filter(([path, text]) => read(path) !== text).map(([path]) => path)
  assert.deepEqual(stale, [], 'npm run generate')
})

test('the quickstart shows every example', () => {
  const samples = [...readDocs().keys()].filter((path) => /^examples\/\w+\//.test(path))
  assert(samples.length > 0)
  const page = 'docs/guides/quickstart.md'
  assert.deepEqual(samplesIn(files.get(page) ?? '', page).toSorted(), samples.toSorted())
})

// Each type is assignable to the other, and neither has an extra optional field.
type Fits<A, B> = [A, keyof A] extends [B, keyof B] ? true : false
type Same<A, B> = Fits<A, B> extends true ? Fits<B, A> : false

test('the types of the SDK equal those of the contract', () => {
  // The compiler checks this: a method whose types differ is `false`, which is not assignable to `true`.
  const same: { [M in Method]: Same<ApiResponses[M], ApiResponse<M>> } = {
    initCall: true,
    getInfo: true,
    initRepeat: true,
    inboundCallWaiting: true,
    checkPhone: true,
    getAccount: true,
    getService: true,
    getBalance: true,
  }
  assert(Object.values(same).every((one) => one))
})
