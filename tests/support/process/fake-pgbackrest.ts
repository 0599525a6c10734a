// A `pgbackrest` that knows one backup.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Returns the PATH on which it is found first.
export function installFakePgbackrest(directory: string, backupAtSeconds: number): string {
  const bin = join(directory, 'bin')
  mkdirSync(bin)
  const backup = [{ label: 'one', timestamp: { stop: backupAtSeconds } }]
  const info = JSON.stringify([{ status: { code: 0 }, cipher: 'aes-256-cbc', backup }])
  writeFileSync(join(bin, 'pgbackrest'), `#!/bin/sh\necho '${info}'\n`)
  chmodSync(join(bin, 'pgbackrest'), 0o755)
  return `${bin}:${process.env['PATH']}`
}
