// The sentence that a detail page opens with, for every outcome and every refusal of docs/reference/calls.md, in both languages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explanations, refusalExplanations } from '../../server/src/domain/verifications/call-explanation.ts'
import { words as en } from '../../web/src/dashboard/verifications/verification-words.en.ts'
import { words as ru } from '../../web/src/dashboard/verifications/verification-words.ru.ts'
import { costSentence, explanationOf } from '../../web/src/parts/phone/explain-call.ts'

const succeeded = new Set(['rang', 'rejected', 'spoken', 'called', 'lost-ringing'])

for (const [language, words] of [
  ['en', en],
  ['ru', ru],
] as const) {
  test(`every outcome has its sentence, ${language}`, () => {
    assert.deepEqual(Object.keys(words.reasons).toSorted(), Object.keys(explanations).toSorted())
    for (const [reason, { atFault }] of Object.entries(explanations)) {
      const known = words.reasons[reason]
      assert(known)
      assertSentence(known, language, atFault)
      const status = succeeded.has(reason) ? 'succeeded' : 'failed'
      const shown = explanationOf({ status, reason, sipStatus: null, atFault: 'carrier' }, words)
      assert.equal(shown.title, known.title)
      assert.equal(shown.side, words.sides.carrier)
    }
  })

  test(`every refusal has its sentence, ${language}`, () => {
    assert.deepEqual(Object.keys(words.refusals), Object.keys(refusalExplanations))
    for (const [status, { atFault }] of Object.entries(refusalExplanations)) {
      const known = words.refusals[Number(status)]
      assert(known)
      assertSentence(known, language, atFault)
      const shown = explanationOf(
        { status: 'failed', reason: 'refused', sipStatus: Number(status), atFault: null },
        words,
      )
      assert.equal(shown.title, known.title)
    }
    const other = explanationOf({ status: 'failed', reason: 'refused', sipStatus: 499, atFault: null }, words)
    assert.equal(other.title, words.reasons['refused']?.title)
  })

  test(`a call in progress and a reason of a newer version have a sentence, ${language}`, () => {
    for (const status of ['checking', 'ringing', 'waiting'] as const) {
      assert.equal(
        explanationOf({ status, reason: null, sipStatus: null, atFault: null }, words).title,
        words.open[status].title,
      )
    }
    assert.notEqual(
      explanationOf({ status: 'failed', reason: 'of-tomorrow', sipStatus: null, atFault: null }, words).title,
      '',
    )
  })

  test(`the sentence says whether it cost, ${language}`, () => {
    const call = { status: 'succeeded', isTest: false, price: 0.4, charged: 0.4, firstId: null } as const
    const money = (amount: number) => `${amount} paid`
    const said = (change: Partial<Parameters<typeof costSentence>[0]>) =>
      costSentence({ ...call, ...change }, words, money)
    assert.match(said({}), /0\.4 paid/)
    assert.equal(said({ status: 'failed', charged: 0 }), words.cost.released)
    assert.match(said({ status: 'failed' }), /0\.4 paid/)
    assert.match(said({ status: 'ringing', charged: 0 }), /0\.4 paid/)
    assert.equal(said({ isTest: true, price: 0, charged: 0 }), words.cost.test)
    assert.equal(said({ price: 0, charged: 0, firstId: 7 }), words.cost.free)
  })
}

function assertSentence({ title, advice }: { title: string; advice: string }, language: string, atFault: string): void {
  assert.match(title, language === 'ru' ? /^[А-ЯЁ].*[^.]$/u : /^[A-Z].*[^.]$/)
  assert.equal(advice === '', atFault === 'nobody', `${title}: there is advice if somebody is at fault`)
}
