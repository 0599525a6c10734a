// The version of the Kamailio that is installed on this machine.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

// Undefined if there is none here: in containers it has its own image.
export async function kamailioVersion(): Promise<string | undefined> {
  // A person's path often has no sbin.
  const command = 'PATH="$PATH:/usr/sbin" exec kamailio -v'
  const { stdout } = await promisify(execFile)('sh', ['-c', command]).catch(() => ({ stdout: '' }))
  return /kamailio (\d+\.\d+\.\d+)/.exec(stdout)?.[1]
}
