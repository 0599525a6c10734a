import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runtimePaths } from '../../scripts/image/program.ts'
import { readDocs } from '../../server/src/docs-files.ts'

const repository = join(import.meta.dirname, '../..')

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
