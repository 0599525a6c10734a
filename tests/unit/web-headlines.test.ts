// Every headline of the pages, in both languages: without calls, with data that are too old, and with data that contradict its good word.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { hourMs } from '../../server/src/domain/values/time.ts'
import { customersHeadline } from '../../web/src/console/customers/customers-headline.ts'
import { deliverabilityHeadline } from '../../web/src/console/deliverability/deliverability-headline.ts'
import { words as enDeliverability } from '../../web/src/console/deliverability/words.en.ts'
import { words as ruDeliverability } from '../../web/src/console/deliverability/words.ru.ts'
import { protectionHeadline, replayHeadline } from '../../web/src/console/protection/protection-headline.ts'
import { tariffsHeadline } from '../../web/src/console/tariffs/tariffs-headline.ts'
import type { TrunksPage } from '../../web/src/console/trunks/trunk.ts'
import { trunksHeadline } from '../../web/src/console/trunks/trunks-headline.ts'
import { wallboardHeadline } from '../../web/src/console/wallboard/wallboard-headline.ts'
import { overviewHeadline } from '../../web/src/dashboard/overview/overview-headline.ts'
import type { Data } from '../../web/src/dashboard/statistics/figures.ts'
import { type Headline, isLost } from '../../web/src/headline.ts'
import { catalogues } from '../support/web/person.ts'
import { oneTrunk } from '../support/web/trunk-fixtures.ts'
import { calmBoard, troubledBoard } from '../support/web/wallboard-fixtures.ts'

const nowMs = Date.parse('2026-11-19T12:30:00Z')
const deliverability = { en: enDeliverability, ru: ruDeliverability }
const formats = { number: String, percent: (share: number) => `${Math.round(share * 100)}%` }

describe('a server that does not answer', () => {
  test('is lost after ten seconds, or at once when it does not answer', () => {
    assert.equal(isLost({ ageMs: 10_000, isUnreachable: false }), false)
    assert.equal(isLost({ ageMs: 10_001, isUnreachable: false }), true)
    assert.equal(isLost({ ageMs: 0, isUnreachable: true }), true)
  })
})

for (const language of ['en', 'ru'] as const) {
  const { shell, wallboard, trunks, customers, tariffs, protection, statistics } = catalogues[language]
  const words = deliverability[language]
  const lost = { title: shell.state.lost('20:42'), lead: shell.state.lostLead }
  const isLostSaid = (headline: Headline) => assert.deepEqual([headline.title, headline.tone], [lost.title, 'lost'])
  const good = new Set([wallboard.well, statistics.allWell, words.asUsual, trunks.allFine(1), trunks.allFine(2)])
  const says = (headline: Headline, title: string, tone: Headline['tone']) => {
    assert.deepEqual([headline.title, headline.tone], [title, tone])
    if (tone !== 'well') assert(!good.has(headline.title), headline.title)
  }

  describe(`wallboard, ${language}`, () => {
    const board = calmBoard(nowMs)
    const of = (changes: Partial<typeof board>, loss?: typeof lost) =>
      wallboardHeadline({ ...board, ...changes }, loss, wallboard, formats)
    const minutes = (dialled: number, rang: number) => [{ at: nowMs, dialled, rang }]

    test('works only with calls that rang, and says how many', () => {
      says(of({}), wallboard.well, 'well')
      assert.match(of({ minutes: minutes(120, 90) }).lead ?? '', /120.*90.*75%/)
      assert.doesNotMatch(of({ minutes: minutes(49, 40) }).lead ?? '', /%/)
    })
    test('no calls: it does not know', () => {
      says(of({ minutes: minutes(0, 0) }), wallboard.noCallsHour, 'unknown')
      says(of({ trunks: [] }), wallboard.noTrunks, 'unknown')
    })
    test('old data: no connection, whatever they say', () => {
      isLostSaid(of({}, lost))
      isLostSaid(of({ trunks: [] }, lost))
      isLostSaid(wallboardHeadline(troubledBoard(nowMs), lost, wallboard, formats))
    })
    test('calls of which none rang, calls that wait, a bad check, an examination that has not ended', () => {
      says(of({ minutes: minutes(3, 0) }), wallboard.nothingRang, 'bad')
      assert.match(of({ waiting: 4 }).lead ?? '', /4/)
      const faults = [{ check: 'disk', subject: '', cause: 'The disk is full.' }]
      says(of({ faults }), wallboard.wrong(1), 'bad')
      says(of({ faults, minutes: minutes(0, 0) }), wallboard.wrong(1), 'bad')
      says(of({ faults: null }), wallboard.ringing, 'well')
    })
  })

  describe(`trunks, ${language}`, () => {
    const page = oneTrunk(nowMs)
    const [trunk] = page.trunks
    assert(trunk)
    const carrying = (dialled: number, rang: number) => ({ ...trunk, calls: { ...trunk.calls, dialled, rang } })
    const of = (some: readonly TrunksPage['trunks'][number][], faults: readonly string[] = [], loss?: typeof lost) =>
      trunksHeadline({ stop: null, trunks: [...some] }, faults, loss, trunks, formats)

    test('carry calls only as far as phones rang over them', () => {
      says(of([carrying(100, 90)]), trunks.allFine(1), 'well')
      says(of([carrying(100, 90), { ...carrying(0, 0), name: 'beta' }]), trunks.someFine(1, 2), 'well')
      says(of([carrying(8, 0)]), trunks.nothingRang, 'bad')
    })
    test('no calls, old data, a bad check, all stopped', () => {
      says(of([carrying(0, 0)]), trunks.leadNone, 'unknown')
      isLostSaid(of([carrying(100, 90)], [], lost))
      says(of([carrying(100, 90)], ['NATS is away.']), trunks.faults(1), 'bad')
      const stop = { reason: 'drill', stoppedAt: nowMs }
      const stopped = { stop, trunks: [carrying(100, 90)] }
      says(trunksHeadline(stopped, [], undefined, trunks, formats), trunks.allStopped, 'bad')
    })
  })

  describe(`overview, ${language}`, () => {
    const figures = { repeats: 0, charged: 0, ringP50Ms: null, ringP95Ms: null }
    const data = (calls: number, succeeded: number, failed: number, binAt = nowMs - hourMs / 2): Data => ({
      by: 'hour',
      from: nowMs - 24 * hourMs,
      until: nowMs + hourMs / 2,
      total: { calls, succeeded, failed, ...figures },
      before: { calls: 0, succeeded: 0, failed: 0, ...figures },
      compared: { from: 0, until: 1 },
      bins: [{ at: binAt, calls, succeeded, failed, ...figures }],
      providers: [],
      providerModes: [],
      reasons: [],
      modes: [],
      services: [],
      hours: [],
    })
    const of = (given: Data, outage?: string, loss?: typeof lost) =>
      overviewHeadline(given, outage, loss, nowMs, statistics, formats)

    test('calls go through when there were some of late', () => {
      says(of(data(100, 90, 10)), statistics.allWell, 'well')
      says(of(data(100, 90, 10, nowMs - 3 * hourMs)), statistics.quietHour, 'well')
      says(of({ ...data(100, 90, 10), until: nowMs - hourMs }), statistics.wentThrough, 'well')
    })
    test('no calls, old data, none succeeded, most failed, an announced outage', () => {
      says(of(data(0, 0, 0)), statistics.noCalls, 'unknown')
      isLostSaid(of(data(100, 90, 10), undefined, lost))
      says(of(data(3, 0, 3)), statistics.noneSucceeded, 'bad')
      says(of(data(100, 20, 80)), statistics.mostFail, 'bad')
      says(of(data(100, 90, 10), 'Fibre cut.'), statistics.outage, 'bad')
    })
  })

  describe(`deliverability, ${language}`, () => {
    type Cells = WebOutput<'deliverability'>['cells']
    const cell = { provider: 'Polar', trunk: 'alfa', mode: 'flash' as const, low: 0.8, high: 0.9, usual: 0.9 }
    const of = (cells: Cells, loss?: typeof lost) => deliverabilityHeadline(cells, loss, words, formats)
    const one = (dialled: number, rang: number, hasFallen = false) => [{ ...cell, dialled, rang, hasFallen }]

    test('compares only shares of 50 calls and more', () => {
      says(of(one(50, 45)), words.asUsual, 'well')
      says(of(one(49, 45)), words.tooFew, 'unknown')
      says(of(one(49, 2, true)), words.tooFew, 'unknown')
      says(of(one(50, 2, true)), words.fallen('Polar', 'alfa'), 'bad')
    })
    test('no calls, nothing usual, old data', () => {
      says(of([]), words.empty, 'unknown')
      says(of([{ ...cell, dialled: 500, rang: 450, usual: null, hasFallen: false }]), words.tooFew, 'unknown')
      isLostSaid(of(one(500, 450), lost))
    })
  })

  describe(`customers, tariffs and protection, ${language}`, () => {
    const customer = (level: 'low' | 'look' | 'high', state: 'active' | 'blocked' = 'active') => ({
      state,
      risk: { level, score: 50, signs: [] },
    })
    test('customers: only a high risk is red', () => {
      says(customersHeadline([], undefined, customers), customers.title, 'unknown')
      says(customersHeadline([customer('look')], undefined, customers), customers.odd(1), 'poor')
      says(customersHeadline([customer('high'), customer('look')], undefined, customers), customers.odd(2), 'bad')
      says(customersHeadline([customer('high', 'blocked')], undefined, customers), customers.title, 'unknown')
      isLostSaid(customersHeadline([customer('high')], lost, customers))
    })
    test('tariffs: a margin without costs is unknown, with some of them it is at most so much', () => {
      const total = { calls: 100, revenue: 50, cost: 20, margin: 30, withoutCost: 0 }
      const of = (changes: Partial<typeof total>, loss?: typeof lost) =>
        tariffsHeadline({ ...total, ...changes }, '', loss, tariffs, formats)
      says(of({}), tariffs.title('60%'), 'well')
      says(of({ cost: 0, margin: 50, withoutCost: 100 }), tariffs.unknownMargin, 'poor')
      says(of({ withoutCost: 10 }), tariffs.atMost('60%'), 'poor')
      says(of({ cost: 80, margin: -30 }), tariffs.loss, 'bad')
      says(of({ calls: 0, revenue: 0, cost: 0, margin: 0 }), tariffs.noTraffic, 'unknown')
      isLostSaid(of({}, lost))
    })
    test('a replay of nothing shows nothing', () => {
      const of = (calls: number, blocked: number, succeeded: number, loss?: typeof lost) =>
        replayHeadline({ calls }, { blocked, succeeded }, 7, loss, protection)
      says(of(0, 0, 0), protection.nothingReplayed(7), 'unknown')
      says(of(600, 0, 0), protection.wouldBlockNone(600, 7), 'well')
      says(of(600, 5, 2), protection.wouldBlock(5, 7), 'bad')
      says(of(600, 5, 0), protection.wouldBlock(5, 7), 'well')
      isLostSaid(of(600, 0, 0, lost))
    })
    test('protection: stopped calls come before their count', () => {
      const rules = [{ hitsDay: 0 }]
      says(protectionHeadline({ rules, stop: null }, undefined, protection), protection.noneToday, 'unknown')
      says(
        protectionHeadline({ rules: [{ hitsDay: 3 }], stop: null }, undefined, protection),
        protection.stoppedToday(3),
        'unknown',
      )
      const stop = { reason: 'drill', stoppedAt: nowMs }
      says(protectionHeadline({ rules, stop }, undefined, protection), protection.allStopped, 'bad')
      isLostSaid(protectionHeadline({ rules, stop }, lost, protection))
    })
  })
}
