// Runs tests in a network namespace, where addresses may be forged and no packet leaves. The stack's servers are
// reached at their usual addresses, through Unix sockets in a folder.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type ListenOptions, type Server, type TcpNetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stackSetting } from '../stack-settings.ts'

const folderName = 'NAMESPACE_SOCKETS'

const portsOfStack = () =>
  (['RINGPROOF_DATABASE_URL', 'RINGPROOF_NATS_URL'] as const).map((name) => Number(new URL(stackSetting(name)).port))

// Runs a test file there and returns its output; throws with the output when a test failed.
export async function runInNamespace(
  file: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ringproof-'))
  const doors = portsOfStack().map((port) => relay({ path: join(folder, String(port)) }, { host: '127.0.0.1', port }))
  try {
    // Root needs no user namespace, and in a chroot none can be created.
    const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user']
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--test-reporter=spec', file]
    const { NODE_TEST_CONTEXT: _context, ...inherited } = process.env
    const child = spawn('unshare', ['--net', ...asRoot, '--', ...node], {
      env: { ...inherited, ...environment, [folderName]: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
    const [status] = (await once(child, 'close')) as [number | null]
    if (status !== 0) throw new Error(`the tests in the namespace exited with ${status}:\n${output}`)
    return output
  } finally {
    for (const door of doors) door.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

// Call this first in such a file. Every address is on the loopback interface of the namespace.
export async function enterNamespace(addresses: readonly string[]): Promise<void> {
  const folder = process.env[folderName]
  if (folder === undefined) throw new Error('this file is run by runInNamespace')
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  for (const address of addresses) execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo'])
  for (const port of portsOfStack()) {
    const door = relay({ host: '127.0.0.1', port }, { path: join(folder, String(port)) })
    door.unref()
    await once(door, 'listening')
  }
}

type Place = { readonly host: string; readonly port: number } | { readonly path: string }

function relay(from: Place, to: Place): Server {
  const server = createServer((inner) => {
    const outer = connect(to as TcpNetConnectOpts)
    inner.pipe(outer).pipe(inner)
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  return server.listen(from as ListenOptions)
}
