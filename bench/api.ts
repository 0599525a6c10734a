// `ringproof serve --roles api` as an operator runs it. It dispatches the calls it accepts; no node dials them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../scripts/stack/ports.ts'
import type { BenchEnv } from './environment.ts'

export type Api = { readonly pid: number; readonly port: number; readonly close: () => Promise<void> }

const program = fileURLToPath(new URL('../server/bin/ringproof.js', import.meta.url))
const readyMs = 20_000

export async function startApi(env: BenchEnv): Promise<Api> {
  const port = await freePort()
  const log = join(env.directory, 'api.log')
  // The log goes to a file: reading a pipe would take CPU from the server.
  const child = spawn(process.execPath, [...process.execArgv, program, 'serve', '--roles', 'api'], {
    env: {
      PATH: process.env['PATH'],
      RINGPROOF_DATABASE_URL: env.urls[0],
      RINGPROOF_NATS_URL: env.natsUrl,
      RINGPROOF_NATS_PREFIX: env.prefix,
      RINGPROOF_SECRETS_DIR: env.secretsDir,
      RINGPROOF_HTTP_PORT: String(port),
      RINGPROOF_METRICS_PORT: '',
      // All requests come from one address, so its rate limit is raised.
      RINGPROOF_REQUESTS_PER_SECOND: '1000000',
      RINGPROOF_PREFIX_HOUR_MAX: 'none',
    },
    stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  })
  const startedMs = performance.now()
  while (!readFileSync(log, 'utf8').includes('"msg":"ready"')) {
    if (child.exitCode !== null || performance.now() - startedMs > readyMs)
      throw new Error('the API does not start; see api.log')
    await sleep(50)
  }
  return {
    pid: child.pid ?? 0,
    port,
    close: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
