import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'
import { Refusal, refusalSentence } from '../../server/src/process/errors.ts'

const page = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')
const names = Object.keys(refusals) as RefusalName[]
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [head = '', ...lines] = section.trim().split('\n')
      return [head, lines]
    }),
)

test('the error page has one section for every refusal, and no other', () => {
  assert.deepEqual([...sections.keys()].toSorted(), names.map((name) => `${refusals[name].code} ${name}`).toSorted())
  for (const name of names) {
    const { code, status, en, ru } = refusals[name]
    const lines = sections.get(`${code} ${name}`) ?? []
    assert.deepEqual(lines.slice(1, 4), [`- HTTP ${status}`, `- ${en}`, `- ${ru}`], name)
    assert.match(lines[4] ?? '', /^- Fixable by: (you|account owner|operator)\. .+\.$/, name)
  }
})

test('one code has one meaning: statuses differ only by transport', () => {
  const byCode = Map.groupBy(Object.values(refusals), ({ code }) => code)
  for (const [code, group] of byCode) {
    if (code !== 1) assert.equal(new Set(group.map(({ status }) => status)).size, 1, `code ${code}`)
  }
})

test('English sentences are ASCII, Russian ones Cyrillic, and both have the same placeholders', () => {
  const wanted = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(([word]) => word).toSorted()
  for (const name of names) {
    const { en, ru } = refusals[name]
    assert.match(en, /^[\x20-\x7e]+\.$/, name)
    assert.match(ru, /[а-яё].*\.$/i, name)
    assert.deepEqual(wanted(ru), wanted(en), name)
  }
})

test('a sentence is filled in completely, in the language of the reader', () => {
  const refusal = new Refusal('invalidParameter', {
    parameter: 'code',
    expected: { en: 'it takes digits', ru: 'нужны цифры' },
  })
  assert.equal(refusalSentence(refusal, 'en'), 'The parameter code is wrong: it takes digits.')
  assert.equal(refusalSentence(refusal, 'ru'), 'Неверный параметр code: нужны цифры.')
  assert.throws(
    () => refusalSentence(new Refusal('invalidParameter', { parameter: 'x' }), 'en'),
    /lacks the value expected/,
  )
})
