// A NATS for one test file, with its monitoring port, where the stack's cannot be used: its settings differ.

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { natsCommand, natsConfig } from '../../../scripts/stack/parts/nats.ts'
import { freePort } from '../../../scripts/stack/ports.ts'
import { createChild } from '../../crash/child.ts'
import { atEnd } from '../at-end.ts'
import { fileDirectory } from '../temporary-directory.ts'

export type PrivateNats = { readonly url: string; readonly monitorUrl: string }

// The change is applied to the configuration of the stack.
export async function createPrivateNats(change: (config: string) => string = (config) => config): Promise<PrivateNats> {
  const directory = fileDirectory()
  const [port, monitorPort] = await Promise.all([freePort(), freePort()])
  const password = randomBytes(16).toString('hex')
  const monitorUrl = `http://127.0.0.1:${monitorPort}`
  const config = `${natsConfig(port, password, join(directory, 'store'))}\nhttp: "127.0.0.1:${monitorPort}"\n`
  const path = join(directory, 'nats-server.conf')
  writeFileSync(path, change(config), { mode: 0o600 })
  const child = createChild({
    name: 'nats',
    command: natsCommand(path),
    environment: {},
    logDirectory: directory,
    ask: () => fetch(`${monitorUrl}/healthz`),
    closeSignal: 'SIGTERM',
  })
  atEnd(() => child.close())
  child.start()
  await child.ready()
  return { url: `nats://ringproof:${password}@127.0.0.1:${port}`, monitorUrl }
}
