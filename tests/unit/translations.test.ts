// Every Russian page names the digest of the English text that it translates. A change in English makes this test fail until the
// translation is updated, together with its digest.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { digestOf, proseOf, translationLine } from '../../scripts/generate/translation.ts'

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

const translations = [
  ['README.md', 'README.ru.md'],
  ...globSync('docs/guides/ru/*.md', { cwd: repository }).map((path) => [path.replace('/ru/', '/'), path]),
] as [english: string, russian: string][]

test('every Russian page translates the English text as it is now', () => {
  assert(translations.length > 2)
  for (const [english, russian] of translations) {
    assert.equal(
      read(russian).split('\n')[0],
      translationLine(english, read(english)),
      `${russian}: translate what has changed in ${english}`,
    )
  }
})

test('every Russian page has the code, the headings and the links of the English one', () => {
  for (const [english, russian] of translations) {
    assert.deepEqual(shapeOf(read(russian)), shapeOf(read(english)), russian)
    const letters = proseOf(read(russian)).match(/\p{L}/gu) ?? []
    const cyrillic = letters.filter((letter) => /[а-яё]/i.test(letter))
    assert(cyrillic.length > letters.length * 0.6, `${russian} is not in Russian`)
  }
})

test('a changed sentence, a changed sample and a missing heading are found', () => {
  const page = '# A\n\nText.\n\n```sh\none\n```\n\n## B\n'
  assert.notEqual(digestOf(page), digestOf(page.replace('Text', 'Other text')))
  assert.notDeepEqual(shapeOf(page), shapeOf(page.replace('one', 'two')))
  assert.notDeepEqual(shapeOf(page), shapeOf(page.replace('## B\n', '')))
})

function shapeOf(text: string): { code: string[]; headings: string[]; links: number; rows: number } {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, '')
  return {
    code: text.match(/^```[^]*?^```$/gm) ?? [],
    headings: [...prose.matchAll(/^(#+) /gm)].map(([, marks = '']) => marks),
    links: [...prose.matchAll(/\]\(/g)].length,
    rows: [...prose.matchAll(/^\|/gm)].length,
  }
}
