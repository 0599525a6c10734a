import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runtimePaths } from '../../scripts/image/program.ts'
import { readDocs } from '../../server/src/docs-files.ts'

const repository = join(import.meta.dirname, '../..')

test('the workspace and the server have the same version', () => {
  const versionOf = (path: string) =>
    (JSON.parse(readFileSync(join(repository, path), 'utf8')) as { version: string }).version
  assert.match(versionOf('package.json'), /^\d+\.\d+\.\d+$/)
  assert.equal(versionOf('server/package.json'), versionOf('package.json'))
})

test('every path in deploy/image/files.txt exists', () => {
  const missing = runtimePaths().filter((path) => path !== 'web/dist' && !existsSync(join(repository, path)))
  assert.deepEqual(missing, [])
})

test('deploy/image/files.txt contains every page and sample of /docs', () => {
  const paths = runtimePaths()
  const isListed = (file: string) => paths.some((path) => file === path || file.startsWith(`${path}/`))
  const pages = [...readDocs().keys()]
  assert(pages.length > 0)
  assert.deepEqual(
    pages.filter((page) => !isListed(page)),
    [],
  )
})
