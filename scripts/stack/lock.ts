import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stackDirectory } from './state.ts'

const timeoutMs = 300

/**
 * Does the work while no other `up` or `down` of this clone runs.
 *
 * The lock is the kernel's (flock), held by a helper that lives until its standard input closes. The kernel closes it
 * whatever way this process ends, so that no lock is ever left behind, and there is no question of a stale one.
 */
export async function withLock(work: () => Promise<void>): Promise<void> {
  const helper = spawn('flock', [join(stackDirectory, 'lock'), 'sh', '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(helper, 'exit')
  const held = Promise.race([
    once(helper.stdout, 'data'),
    ended.then(() => {
      throw new Error('flock could not take the lock')
    }),
  ])
  if ((await Promise.race([held, sleep(timeoutMs, 'waiting' as const, { ref: false })])) === 'waiting') {
    process.stderr.write('Waiting for another stack command in this directory to end.\n')
  }
  await held
  try {
    await work()
  } finally {
    helper.stdin.end()
    await ended
  }
}
