// `ringproof serve` as an operator runs it, with the role `api` alone or with `web` in the same process. It dispatches the calls it accepts; no node dials them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../scripts/stack/ports.ts'
import type { BenchEnv } from './environment.ts'

type Api = { readonly pid: number; readonly port: number; readonly close: () => Promise<void> }

const program = fileURLToPath(new URL('../server/bin/ringproof.js', import.meta.url))
const readyMs = 20_000

export type ApiRoles = 'api' | 'api,web'
export type ApiLog = 'on' | 'off'

export async function startApi(env: BenchEnv, roles: ApiRoles = 'api', apiLog: ApiLog = 'on'): Promise<Api> {
  const port = await freePort()
  const log = join(env.directory, 'api.log')
  // The log goes to a file: reading a pipe would take CPU from the server.
  const child = spawn(process.execPath, [...process.execArgv, program, 'serve', '--roles', roles], {
    env: {
      PATH: process.env['PATH'],
      RINGPROOF_DATABASE_URL: env.urls[0],
      RINGPROOF_NATS_URL: env.natsUrl,
      RINGPROOF_NATS_PREFIX: env.prefix,
      RINGPROOF_SECRETS_DIR: env.secretsDir,
      RINGPROOF_HTTP_PORT: String(port),
      RINGPROOF_METRICS_PORT: '',
      RINGPROOF_MAIL_DIR: join(env.directory, 'mail'),
      // All requests come from one address, so its rate limit is raised.
      RINGPROOF_REQUESTS_PER_SECOND: '1000000',
      RINGPROOF_PREFIX_HOUR_MAX: 'none',
      RINGPROOF_API_LOG: apiLog,
    },
    stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  })
  const startedMs = performance.now()
  while (!readFileSync(log, 'utf8').includes('"msg":"ready"')) {
    if (child.exitCode !== null || performance.now() - startedMs > readyMs)
      throw new Error('the API does not start; see api.log')
    await sleep(50)
  }
  if (roles === 'api,web') await loadPages(port)
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

// The pages are loaded with the first request for one: web is idle, not absent.
async function loadPages(port: number): Promise<void> {
  const page = await fetch(`http://127.0.0.1:${port}/dashboard`, { headers: { accept: 'text/html' } })
  if (!page.ok) throw new Error(`the pages do not load: ${page.status}; first: npm run build:web`)
  await page.arrayBuffer()
}
