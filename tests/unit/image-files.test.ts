import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runtimePaths } from '../../scripts/image/program.ts'
import { readDocs } from '../../server/src/process/docs-files.ts'

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

test('the check of the program does not load a module that runs as a thread', () => {
  const source = join(repository, 'server/src')
  const threads = globSync('**/*.ts', { cwd: source }).filter((path) =>
    /^import .*\bworkerData\b/m.test(readFileSync(join(source, path), 'utf8')),
  )
  const check = readFileSync(join(repository, 'scripts/image/check-program.ts'), 'utf8')
  assert(threads.length > 0)
  assert.deepEqual(
    threads.filter((path) => !check.includes(`'${path}'`)),
    [],
  )
})

test('the check of the program loads modules that exist', () => {
  const check = readFileSync(join(repository, 'scripts/image/check-program.ts'), 'utf8')
  const loaded = [...check.matchAll(/import\(join\(source, '([^']+)'\)\)/g)].map(([, path = '']) => path)
  assert(loaded.length > 2)
  assert.deepEqual(
    loaded.filter((path) => !existsSync(join(repository, 'server/src', path))),
    [],
  )
})
