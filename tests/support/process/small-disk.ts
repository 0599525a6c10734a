// A disk of a few megabytes that a test fills up: a tmpfs. Needs root.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../at-end.ts'

export type SmallDisk = {
  readonly place: string
  // Uses up all free space.
  readonly fill: () => void
  readonly free: () => void
}

export function createSmallDisk(megabytes: number): SmallDisk {
  const place = mkdtempSync(join(tmpdir(), 'ringproof-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', place])
  atEnd(async () => {
    execFileSync('umount', ['--lazy', place])
    rmSync(place, { recursive: true })
  })
  chmodSync(place, 0o755)
  const filling = join(place, 'filling')
  return {
    place,
    fill: () => {
      // dd fails when the disk is full.
      execFileSync('sh', ['-c', `dd if=/dev/zero of=${filling} bs=64k 2>/dev/null || true`])
      execFileSync('sh', ['-c', `dd if=/dev/zero of=${filling}-rest bs=512 2>/dev/null || true`])
    },
    free: () => execFileSync('rm', ['-f', filling, `${filling}-rest`]),
  }
}
