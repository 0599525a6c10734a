// Runs a serving process: its settings, its log and its signals, and the server until one of them ends it.

import { once } from 'node:events'
import type { ProcessRole } from './domain/core/database-role.ts'
import { createClock } from './process/clock.ts'
import { printableSettings, readConfig } from './process/config/config.ts'
import { createProcessLog } from './process/log/log.ts'
import { startMessage } from './process/start-message.ts'
import { startServer } from './start-server.ts'

export async function serve(roles: readonly ProcessRole[], version: string): Promise<void> {
  const config = readConfig()
  const clock = createClock(config.timeScale)
  const { log, linesDropped } = createProcessLog(clock)
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
  const fail = (why: string) => {
    log.fatal({ reason: why }, 'server failed')
    process.exitCode = 1
    stopping.abort()
  }
  const settings = printableSettings
  const server = await startServer({ config, settings, roles, version, clock, log, linesDropped, stopping, fail })
  if (process.stderr.isTTY) process.stderr.write(startMessage(config, roles, version))
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  log.info('stopping')
  await server.close()
  log.info('stopped')
}
