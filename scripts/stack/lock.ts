import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stackDirectory } from './state.ts'

const timeoutMs = 300

/**
 * Runs the work while no other `up` or `down` of this clone runs.
 *
 * The lock is a kernel lock (flock) held by a helper process until its standard input closes. The kernel closes it however
 * this process ends, so a lock is never left behind.
 */
export async function withLock<T>(work: () => Promise<T>): Promise<T> {
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
    return await work()
  } finally {
    helper.stdin.end()
    await ended
  }
}
