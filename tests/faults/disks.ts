// A disk for each machine that can be filled up, and that can lose power: a file system in a file, which writes back only
// what is synced. The copy of that file, made while its servers are frozen, has what was synced and nothing that was only
// in memory. A tmpfs for logs.

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Defer } from '../ha/hosts.ts'

export type Disk = {
  readonly place: string
  readonly fill: () => void
  readonly free: () => void
  // What would be there after a power loss at this moment.
  readonly keepSynced: () => void
  // Goes on with that; its servers must have ended.
  readonly losePower: () => void
}

const size = '3G'
const restBytes = 8 * 1024 * 1024
// Longer than any run.
const writeBackSeconds = 36_000

export function createDisk(directory: string, name: string, place: string, defer: Defer): Disk {
  let losses = 0
  const imageOf = (nth: number) => join(directory, `${name}.${nth}.disk`)
  const image = imageOf(0)
  mkdirSync(place, { recursive: true })
  execFileSync('truncate', [`--size=${size}`, image])
  execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image])
  const mount = (file: string) => execFileSync('mount', ['-o', `loop,commit=${writeBackSeconds}`, file, place])
  mount(image)
  defer(async () => {
    execFileSync('umount', ['--lazy', place])
    rmSync(imageOf(losses), { force: true })
  })
  const filling = join(place, 'filling')
  return {
    place,
    fill: () => {
      const { bavail, bsize } = statfsSync(place)
      execFileSync('fallocate', ['--length', String(Math.max(bsize, bavail * bsize - restBytes)), filling])
      // dd fails when the disk is full.
      execFileSync('sh', ['-c', `dd if=/dev/zero of=${filling}-rest bs=4k 2>/dev/null || true; sync ${filling}-rest`])
    },
    free: () => {
      for (const path of [filling, `${filling}-rest`]) rmSync(path, { force: true })
    },
    keepSynced: () => execFileSync('cp', ['--sparse=always', imageOf(losses), imageOf(losses + 1)]),
    // Programs of other machines may keep the old file system; it is in a file that nothing else uses.
    losePower: () => {
      execFileSync('umount', ['--lazy', place])
      rmSync(imageOf(losses))
      losses += 1
      mount(imageOf(losses))
    },
  }
}

export function createLogDisk(place: string, megabytes: number, defer: Defer): Pick<Disk, 'fill' | 'free'> {
  mkdirSync(place, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', place])
  defer(async () => execFileSync('umount', ['--lazy', place]))
  const filling = join(place, 'filling')
  return {
    fill: () => execFileSync('sh', ['-c', `dd if=/dev/zero of=${filling} bs=4k 2>/dev/null || true`]),
    free: () => rmSync(filling, { force: true }),
  }
}
