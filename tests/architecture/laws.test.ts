import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { cleanTree, type TreeFiles } from './fixture-tree.ts'
import { checkTree, lawNames } from './laws.ts'
import { git } from './read-tree.ts'
import { seededViolations } from './seeded-violations.ts'

describe('architecture laws', () => {
  let root = ''

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'tidy-'))
    git(root, 'init', '--quiet')
    write(root, cleanTree)
  })

  after(() => rmSync(root, { recursive: true }))

  test('a tree without violations gives no complaint', () => {
    const { moduleCount, findings } = checkTree(root)
    assert.equal(moduleCount, Object.keys(cleanTree).filter((path) => /\.tsx?$/.test(path)).length)
    assert.deepEqual(findings, [])
  })

  test('every law has a seeded violation', () => {
    const proven = new Set(seededViolations.map(({ law }) => law))
    assert.deepEqual(
      lawNames().filter((law) => !proven.has(law)),
      [],
    )
  })

  for (const { law, says, files } of seededViolations) {
    test(`${law} finds: ${says}`, (context) => {
      context.after(() => restore(root, files))
      write(root, files)
      const { findings } = checkTree(root)
      assert.deepEqual(
        findings.map((finding) => finding.law),
        [law],
        JSON.stringify(findings, null, 2),
      )
      assert.ok(findings[0]?.sentence.includes(says), findings[0]?.sentence)
    })
  }
})

// An empty text means that the file does not exist.
function write(root: string, files: TreeFiles): void {
  for (const [path, text] of Object.entries(files)) {
    const full = join(root, path)
    mkdirSync(dirname(full), { recursive: true })
    if (text === '') rmSync(full)
    else writeFileSync(full, text)
  }
}

function restore(root: string, files: TreeFiles): void {
  for (const path of Object.keys(files)) {
    const text = cleanTree[path]
    if (text === undefined) rmSync(join(root, path))
    else writeFileSync(join(root, path), text)
  }
}
