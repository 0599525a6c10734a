// Every line that the workflows of .github run, typed in a fresh clone for each job, in their order. Those that need a value of the forge, such
// as a password, are named as skipped: tests/slow/push.test.ts has what they do with it.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { atEnd } from '../support/at-end.ts'
import { newcomersEnvironment } from '../support/process/newcomers-environment.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const repository = join(import.meta.dirname, '../..')
const env = newcomersEnvironment()
// `npm test` takes a quarter of an hour on a busy machine.
const timeout = 3_600_000

for (const file of globSync('.github/workflows/*.yml', { cwd: repository }).toSorted()) {
  const [, jobs = ''] = readFileSync(join(repository, file), 'utf8').split(/^jobs:\n/m)
  for (const job of jobs.split(/^(?= {2}[\w-]+:$)/m).filter((part) => part.includes('- run: '))) {
    const name = `${basename(file, '.yml')}, job ${job.trim().split(':')[0]}`
    const clone = join(fileDirectory(), name.replaceAll(/\W+/g, '-'))
    test(`${name}: a fresh clone`, () => {
      execFileSync('git', ['clone', '--quiet', repository, clone])
    })
    for (const [, line = ''] of job.matchAll(/^ +- run: (.*)$/gm)) {
      const values = line.match(/\$\{\{.*?\}\}/g)
      test(`${name}: ${line}`, { skip: values !== null && `needs ${values.join(', ')}`, timeout }, async () => {
        const { status, output } = await typed(line, clone)
        assert.equal(status, 0, output)
      })
      // The private servers of the clone.
      if (line.includes('stack')) atEnd(async () => void (await typed('npm run -s stack -- down', clone)))
    }
  }
}

async function typed(line: string, cwd: string) {
  const child = spawn('bash', ['-c', `exec 2>&1; ${line}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { status, output }
}
