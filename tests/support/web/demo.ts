// The demo as a person starts it, for user journeys in the browser: real servers, real SIP handsets, a seeded account.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Seeded } from '../../../scripts/demo/people.ts'
import { freePort } from '../../../scripts/stack/ports.ts'
import { atEnd } from '../at-end.ts'

const repository = join(import.meta.dirname, '../../..')

export type Demo = Seeded & {
  readonly url: string
  readonly deskUrl: string
  readonly mailDir: string
  readonly seconds: number
}

export async function startDemo(settings: Readonly<Record<string, string>> = {}): Promise<Demo> {
  const port = await freePort()
  const startedMs = performance.now()
  const args = ['--disable-warning=ExperimentalWarning', 'scripts/demo/main.ts', '--print-json', '--port', String(port)]
  const child = spawn(process.execPath, args, {
    cwd: repository,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const first = Promise.withResolvers<string>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => first.resolve(text))
  child.once('exit', () => first.reject(new Error(`the demo has ended: ${said}`)))
  atEnd(async () => {
    if (child.exitCode === null) {
      child.kill('SIGINT')
      await once(child, 'exit')
    }
    assert.equal(child.exitCode, 0, said)
  })
  const seeded = JSON.parse((await first.promise).split('\n')[0] ?? '') as Seeded & { url: string; deskUrl: string }
  const mailDir = join(repository, '.stack/demo/mail')
  return { ...seeded, mailDir, seconds: Math.round((performance.now() - startedMs) / 1_000) }
}
