// The statements of the contract, one row per group of statements that one request settles. A row throws when the deployment
// does not conform; a row with `decision` conforms to that decision that it names, not to the letter.

import assert from 'node:assert/strict'
import type { Facts, Json } from './conformity-facts.ts'
import { fields, type Row, types } from './conformity-row.ts'

const withService =
  (changed: Json) =>
  (facts: Facts): Facts => {
    const answer = facts.answers.get('GET getService')
    assert(answer)
    return { ...facts, answers: new Map([['GET getService', { ...answer, json: { ...answer.json, ...changed } }]]) }
  }

export const resourceRows: readonly Row[] = [
  {
    section: '2',
    statements: 1,
    statement: 'vendor_id of a response is uid of a request',
    seen: 'getInfo finds it',
    run: ({ flash }) => assert.equal(flash.ended['vendor_id'], flash.started['vendor_id']),
  },
  {
    section: '2.1',
    statements: 4,
    statement: 'status, vendor_id, init_time, call_status',
    seen: 'bool, integer, Unix time, -1 or 0 or 1',
    run: ({ flash }) =>
      types(flash.ended, { status: 'boolean', vendor_id: 'number', init_time: 'number', call_status: 'number' }),
  },
  {
    section: '2.1',
    statements: 2,
    statement: 'is_repeated, repeatable',
    seen: 'false and false while repeats are off',
    run: ({ flash }) => assert.deepEqual([flash.ended['is_repeated'], flash.ended['repeatable']], [false, false]),
  },
  {
    section: '2.1',
    statements: 3,
    statement: 'first_vendor_id, repeat_times, repeated_vendor_ids',
    seen: 'present on a service with repeats',
    run: ({ repeats }) => {
      assert.equal(repeats.infoOfRepeat['first_vendor_id'], repeats.started['vendor_id'])
      assert.equal(repeats.afterOne['repeat_times'], 1)
      assert.deepEqual(repeats.last['repeated_vendor_ids'], [repeats.first['vendor_id'], repeats.second['vendor_id']])
    },
  },
  {
    section: '2.1',
    statements: 5,
    statement: 'unique, client, phone, code, country_code',
    seen: 'as passed, masked, four digits, RU and KZ',
    run: ({ flash, kazakh }) => {
      fields(flash.ended, 'unique', 'client', 'phone', 'code')
      assert.deepEqual([flash.ended['country_code'], kazakh.ended['country_code']], ['RU', 'KZ'])
    },
  },
  {
    section: '2.1',
    statements: 4,
    statement: 'phone_info with operator, region, mnp; may be empty',
    seen: 'an array with one object, or none',
    decision: 'the shape of the sample: an array',
    run: ({ flash }) => {
      const info = flash.ended['phone_info'] as readonly Json[]
      assert(Array.isArray(info) && info.length <= 1)
      for (const one of info) types(one, { operator: 'string', region: 'string', mnp: 'string' })
    },
    faults: [
      (facts) => ({
        ...facts,
        flash: { ...facts.flash, ended: { ...facts.flash.ended, phone_info: [{ operator: '', region: '' }] } },
      }),
    ],
  },
  {
    section: '2.1',
    statements: 2,
    statement: 'cost, and the balance before the charge',
    seen: 'the only call of an account: the balance of before, the price, and what is left; a failed call costs 0',
    run: ({ priced: { before, held, ended, after }, refused }) => {
      const cost = Number(ended['cost'])
      assert(cost > 0)
      assert.deepEqual([ended['balance'], held, after], [before, Number(before) - cost, Number(before) - cost])
      assert.equal(refused.ended['cost'], 0)
    },
    faults: [
      (facts) => ({
        ...facts,
        priced: { ...facts.priced, ended: { ...facts.priced.ended, balance: facts.priced.after } },
      }),
    ],
  },
  {
    section: '2.2',
    statements: 7,
    statement: 'the fields of initCall',
    seen: 'unique_request_id and exists only with unique; exists false, then true',
    run: ({ flash, generated, replay: { json: replayed } }) => {
      fields(flash.started, 'status', 'vendor_id', 'phone', 'code', 'client', 'unique_request_id', 'exists')
      assert(!('exists' in generated.started))
      assert.deepEqual(
        [flash.started['exists'], replayed['exists'], replayed['vendor_id']],
        [false, true, flash.started['vendor_id']],
      )
    },
  },
  {
    section: '2.3',
    statements: 4,
    statement: 'the fields of inboundCallWaiting',
    seen: 'status, vendor_id, phone, confirmation_number',
    run: ({ webhook }) =>
      types(webhook.waiting, {
        status: 'boolean',
        vendor_id: 'number',
        phone: 'string',
        confirmation_number: 'string',
      }),
  },
  {
    section: '2.4',
    statements: 11,
    statement: 'source to phone_format, cost, balance of checkPhone',
    seen: '"+7 909 100-00-00" is 79091000000, RU, mobile',
    run: ({ checked }) => {
      const one = checked.get('+7 909 100-00-00')
      assert.deepEqual(
        [
          one?.['mobile'],
          one?.['phone'],
          one?.['country_iso'],
          one?.['country_code'],
          one?.['number'],
          one?.['country'],
          one?.['phone_format'],
        ],
        [1, 79091000000, 'RU', 7, 9091000000, 'Russia', '8 (909) 100-00-00'],
      )
      fields(one, 'source', 'cost', 'balance')
      assert(one && !('error' in one))
    },
  },
  {
    section: '2.4',
    statements: 5,
    statement: 'mnc, provider, company, region, city',
    seen: 'always present; empty or 0 where unknown',
    run: ({ checked }) => {
      for (const one of checked.values())
        types(one, { mnc: 'number', provider: 'string', company: 'string', region: 'string', city: 'string' })
    },
  },
  {
    section: '2.4',
    statements: 1,
    statement: 'an invalid number is reported in the response',
    seen: '"hello": the whole record with error, cost 0',
    run: ({ checked }) => {
      const one = checked.get('hello')
      assert.deepEqual(
        [typeof one?.['error'], one?.['cost'], one?.['phone'], Object.keys(one ?? {}).length],
        ['string', 0, 0, 16],
      )
    },
  },
  {
    section: '2.5',
    statements: 6,
    statement: 'getAccount: no status; id, telegram_id, two_auth, email, created',
    seen: 'as declared',
    run: ({ answers }) => {
      const account = answers.get('GET getAccount')?.json
      assert(account && !('status' in account))
      types(account, { id: 'number', telegram_id: 'number', two_auth: 'boolean', email: 'string', created: 'number' })
    },
  },
  {
    section: '2.5',
    statements: 3,
    statement: 'logs: the last fifty, with action and created',
    seen: 'of more than 55 actions the newest 50, newest first',
    run: ({ manyLogs }) => {
      assert.equal(manyLogs.length, 50)
      for (const one of manyLogs) types(one, { action: 'string', created: 'number' })
      const times = manyLogs.map(({ created }) => Number(created))
      assert.deepEqual(
        times,
        times.toSorted((a, b) => b - a),
      )
      assert(
        manyLogs.every(({ action }) => action === manyLogs[0]?.['action']),
        'the creation of the service is older',
      )
    },
    faults: [
      ({ manyLogs, ...facts }) => ({ ...facts, manyLogs: manyLogs.slice(1) }),
      ({ manyLogs, ...facts }) => ({
        ...facts,
        manyLogs: manyLogs.map((one, at) => (at === 49 ? { ...one, action: 'older' } : one)),
      }),
    ],
  },
  {
    section: '2.5',
    statements: 1,
    statement: 'logs: ip is an address',
    seen: '127.0.0.1 for the command line',
    decision: 'the command line acts from 127.0.0.1',
    run: ({ logs }) => assert(logs.length > 1 && logs.every(({ ip }) => ip === '127.0.0.1')),
  },
  {
    section: '2.5',
    statements: 1,
    statement: 'logs: user_agent',
    seen: 'the program and its version, never an operating-system user',
    run: ({ logs }) => {
      for (const { user_agent: agent } of logs) assert.match(String(agent), /^ringproof \d+\.\d+\.\d+(-\S+)?$/)
    },
  },
  {
    section: '2.5',
    statements: 1,
    statement: 'updated is the last activity',
    seen: 'moved by a start, as last_request of its service is',
    decision: 'moved by changes, sign-ins, starts and lookups, not by replays and readings',
    run: ({ priced: { account, service, updatedBefore }, replay: { before, after } }) => {
      assert(Number(account['updated']) >= Number(updatedBefore))
      assert.equal(account['updated'], service['last_request'])
      assert.equal(after.updated, before.updated)
    },
    faults: [
      (facts) => ({ ...facts, priced: { ...facts.priced, account: { updated: 1 } } }),
      (facts) => ({ ...facts, replay: { ...facts.replay, after: { ...facts.replay.after, updated: 1 } } }),
    ],
  },
  {
    section: '2.6',
    statements: 6,
    statement: 'the fields of getService',
    seen: 'status, service_status (the service ID), name, creation_time, owner, use_direction',
    run: ({ answers }, { service: { serviceId } }) => {
      const answer = answers.get('GET getService')?.json
      fields(answer, 'status', 'name', 'creation_time', 'owner', 'use_direction')
      assert.equal(answer?.['service_status'], serviceId)
    },
    faults: [withService({ service_status: 1 })],
  },
  {
    section: '2.6',
    statements: 1,
    statement: 'last_request',
    seen: 'moved by starts and lookups',
    decision: 'not by replays and readings',
    run: ({ answers, replay: { before, after } }) => {
      assert(Number(answers.get('GET getService')?.json['last_request']) > 0)
      assert.equal(after.lastRequest, before.lastRequest)
    },
    faults: [
      withService({ last_request: 0 }),
      (facts) => ({ ...facts, replay: { ...facts.replay, after: { ...facts.replay.after, lastRequest: 1 } } }),
    ],
  },
  {
    section: '2.7',
    statements: 4,
    statement: 'the fields of getBalance',
    seen: 'status, rub_balance, tariff, tariff_name',
    run: ({ balanceBefore }) => fields(balanceBefore, 'status', 'rub_balance', 'tariff', 'tariff_name'),
  },
]
