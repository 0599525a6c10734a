// The licence of an installed npm package: what it may be, and its text. Anything else stops the build, so that nothing is
// shipped under terms that no one has read.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type License = {
  readonly name: string
  readonly version: string
  // An SPDX expression.
  readonly expression: string
  readonly text: string
}

// None of these asks for more than its text and its copyright line.
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unicode-3.0',
  'Unicode-DFS-2016',
  'Unlicense',
])

// Packages that only name their licence, with the copyright line of their authors.
const onlyNamed: Readonly<Record<string, string>> = {
  'abstract-logging': 'Copyright (c) James Sumners',
  standardwebhooks: 'Copyright (c) 2023 Svix (https://www.svix.com)',
  tr46: 'Copyright (c) Sebastian Mayr',
}

export function licenseOf(directory: string): License {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: unknown
  }
  const { name, version, license } = manifest
  const expression = typeof license === 'string' ? license : 'none'
  if (!isAllowed(expression)) {
    throw new Error(`${name} ${version} has the licence ${expression}, which scripts/notices/license.ts does not allow`)
  }
  const text = textIn(directory) ?? mitText(name, expression)
  if (text === undefined)
    throw new Error(`${name} ${version} has no licence text: add it to scripts/notices/license.ts`)
  return { name, version, expression, text }
}

// Of alternatives one is enough; of a sum all parts are needed. No package nests them.
function isAllowed(expression: string): boolean {
  const alternatives = expression.replaceAll(/[()]/g, '').split(' OR ')
  return alternatives.some((sum) => sum.split(' AND ').every((one) => allowed.has(one)))
}

function textIn(directory: string): string | undefined {
  const names = readdirSync(directory).toSorted()
  const files = names.filter((name) => /^(licen[cs]e|copying|notice|unlicense)/i.test(name))
  if (files.length > 0) return files.map((name) => readFileSync(join(directory, name), 'utf8').trim()).join('\n\n')
  const readme = names.find((name) => /^readme\.md$/i.test(name))
  if (readme === undefined) return undefined
  const sections = readFileSync(join(directory, readme), 'utf8').split(/^#+ /m)
  const section = sections.find((one) => /^licen[cs]e\b/i.test(one) && one.includes('Permission is hereby granted'))
  return section?.replace(/^.*\n+/, '').trim()
}

function mitText(name: string, expression: string): string | undefined {
  const copyright = onlyNamed[name]
  return copyright === undefined || expression !== 'MIT' ? undefined : `${copyright}\n\n${mit}`
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
