// Third-party licences: every package that runs in production has an allowed one and its text.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { licenseOf } from '../../scripts/notices/license.ts'
import { pageNotices } from '../../scripts/notices/notices.ts'
import { readAssets } from '../../server/src/web/assets.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const repository = join(import.meta.dirname, '../..')
const directory = fileDirectory()

type Locked = { readonly link?: boolean; readonly dev?: boolean; readonly optional?: boolean }
const lock: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(join(repository, 'package-lock.json'), 'utf8'),
)

test('every package of the server has an allowed licence and its text', () => {
  const isShipped = (path: string, { link, dev, optional }: Locked) =>
    path.includes('node_modules/') && !link && !dev && !(optional && !existsSync(join(repository, path)))
  const paths = Object.entries(lock.packages).filter(([path, one]) => isShipped(path, one))
  assert(paths.length > 50)
  for (const [path] of paths) {
    const { text } = licenseOf(join(repository, path))
    assert.match(text, /copyright|licen[cs]e|public domain/i, path)
  }
})

test('a package without a licence text, or with a licence that is not on the list, stops the build', () => {
  const made = (license: string | undefined, files: Readonly<Record<string, string>>) => {
    const name = `made-${Math.random()}`
    const path = join(directory, name)
    mkdirSync(path)
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version: '1.0.0', license }))
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
    return () => licenseOf(path)
  }
  const file = { LICENSE: 'Copyright (c) Someone' }
  const readme = {
    'README.md': '# Made\n\n## License\n\nCopyright (c) Someone\n\nPermission is hereby granted\n\n## More\n',
  }
  assert.equal(made('MIT', file)().text, 'Copyright (c) Someone')
  assert.equal(made('MIT', readme)().text, 'Copyright (c) Someone\n\nPermission is hereby granted')
  assert.equal(made('(GPL-3.0-only OR MIT)', file)().expression, '(GPL-3.0-only OR MIT)')
  assert.equal(made('(Apache-2.0 AND MIT)', { LICENCE: 'a', NOTICE: 'b' })().text, 'a\n\nb')
  for (const refused of ['GPL-3.0-only', 'SEE LICENSE IN LICENSE', 'MIT AND GPL-2.0-only', 'BUSL-1.1', undefined]) {
    assert.throws(made(refused, file), /made-\S+ 1\.0\.0 has the licence .* does not allow/)
  }
  assert.throws(made('MIT', { 'README.md': '## License\n\nMIT\n' }), /has no licence text/)
})

test('the notices of the web pages name each package once and have the licence of every font', () => {
  const text = pageNotices(['react', 'react-dom'].map((name) => licenseOf(join(repository, 'node_modules', name))))
  assert.match(text, /^react 19\.\S+ \(MIT\)\nreact-dom 19\.\S+ \(MIT\)\n\nMIT License\n\nCopyright \(c\) Meta/m)
  assert.equal([...text.matchAll(/^SIL OPEN FONT LICENSE Version 1\.1/gm)].length, 2)
  for (const name of ['geist-mono', 'onest'])
    assert.match(text, new RegExp(`^${name} \\(OFL-1\\.1\\)\\n\\nCopyright`, 'm'))
})

test('the server shows the notices of the web pages', () => {
  const dist = join(directory, 'dist')
  mkdirSync(dist)
  writeFileSync(join(dist, 'notices.txt'), 'Copyright')
  const file = readAssets(dist).files.get('/notices.txt')
  assert.equal(file?.type, 'text/plain; charset=utf-8')
  assert.equal(file.plain.toString(), 'Copyright')
})
