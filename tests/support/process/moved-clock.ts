// A clock that a test moves while a process runs: libfaketime reads the offset from a file at every call. Only the wall
// clock is moved; the monotonic clock is not, as when an operator sets the time.

import { chmodSync, globSync, renameSync, writeFileSync } from 'node:fs'
import { fileDirectory } from '../temporary-directory.ts'

export type MovedClock = {
  // By an offset such as +10d, -1h or +0.
  readonly move: (offset: string) => void
  // Environment of the process whose clock it is.
  readonly environment: Readonly<Record<string, string>>
}

export function createMovedClock(name: string, directory = fileDirectory()): MovedClock {
  const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
  if (!library) throw new Error("libfaketime is missing: install Debian's package faketime")
  // PostgreSQL reads it as another user.
  chmodSync(directory, 0o755)
  const path = `${directory}/${name}`
  // Renamed, so that nothing reads half an offset: libfaketime would end its process.
  const move = (offset: string) => {
    writeFileSync(`${path}.next`, offset, { mode: 0o644 })
    renameSync(`${path}.next`, path)
  }
  move('+0')
  return {
    move,
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  }
}
