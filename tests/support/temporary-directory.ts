import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'

// Removed after the test.
export function temporaryDirectory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'ringproof-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

// Removed after the last test of the file.
export function fileDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'ringproof-'))
  atEnd(async () => rmSync(path, { recursive: true, force: true }))
  return path
}
