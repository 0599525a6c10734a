// What people are asked to attach to an issue: commands that exist, and nothing that reveals a number.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CliContext } from '../../server/src/cli/core/context.ts'
import { buildProgram } from '../../server/src/cli/program.ts'

const folder = join(import.meta.dirname, '../../.github/ISSUE_TEMPLATE')
const files = globSync('*.yml', { cwd: folder }).filter((name) => name !== 'config.yml')
const templates = files.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)

test('every template asks to mask phone numbers', () => {
  assert.deepEqual(files.toSorted(), ['bug.yml', 'carrier.yml', 'idea.yml'])
  for (const [name, text] of templates) assert.match(text, /mask (?:every )?phone numbers?/i, name)
})

test('every command that a template names exists', () => {
  const program = buildProgram({} as CliContext, '1.2.3')
  const named = templates.flatMap(([, text]) => [...text.matchAll(/ringproof ([a-z][a-z ]*[a-z])/g)])
  assert(named.length > 4)
  for (const [whole, words = ''] of named) {
    let command = program
    for (const word of words.split(' ')) {
      const next = command.commands.find((one) => one.name() === word)
      assert(next, `there is no command ${whole}`)
      command = next
    }
  }
})
