import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { exampleSentence } from '@ringproof/contract/error-examples.ts'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import { methods } from '@ringproof/contract/methods.ts'
import { methodParameters } from '@ringproof/contract/parameters.ts'
import { plainPages } from '../../server/src/http/docs/plain-pages.ts'
import { readDocs } from '../../server/src/process/docs-files.ts'

const publicUrl = 'https://ringproof.example'
const pages = plainPages({ publicUrl, version: '1.2.3' }, readDocs())

test('the reference page contains every method, parameter and error, and no HTML', () => {
  const page = pages.get('/docs.md') ?? ''
  for (const method of methods) {
    const section = page.split(`## ${method}\n`)[1]?.split('\n## ')[0] ?? ''
    const { required, optional } = methodParameters[method]
    for (const name of Object.keys({ ...required, ...optional })) assert(section.includes(`- \`${name}\` (`), name)
    assert(section.includes(`${publicUrl}/v1.0/${method} `), method)
  }
  for (const [name, { code, status }] of Object.entries(refusals)) {
    assert(page.includes(`| ${code} | ${status} | ${exampleSentence(name as RefusalName, 'en')} |`), name)
  }
  assert.doesNotMatch(page, /<\/|<code/)
})

test('llms.txt lists every page', () => {
  const listed = [...(pages.get('/llms.txt') ?? '').matchAll(/\]\((\S+)\)/g)].map(([, url = '']) => url)
  const markdown = [...pages.keys()].filter((path) => path.endsWith('.md'))
  assert(markdown.length > 3)
  assert.deepEqual(
    listed.toSorted(),
    [...markdown, '/openapi.json', '/openapi-v2.json'].map((path) => `${publicUrl}${path}`).toSorted(),
  )
})

test('every internal link leads to an existing page and anchor', () => {
  const seen: string[] = []
  for (const [path, text] of pages) {
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (link.startsWith('https://')) continue
      const [target = '', anchor] = link.split('#')
      const file = target === '' ? path : posix.join(posix.dirname(path), target)
      seen.push(file)
      assert(pages.has(file), `${path} links to ${link}`)
      const heads = [...(pages.get(file) ?? '').matchAll(/^#+ (.+)$/gm)].map(([, head = '']) => head)
      const anchors = heads.map((head) =>
        head
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
          .replaceAll(' ', '-'),
      )
      if (anchor !== undefined) assert(anchors.includes(anchor), `${path} links to ${link}`)
    }
  }
  assert(seen.includes('/examples/python/call.py'))
})
