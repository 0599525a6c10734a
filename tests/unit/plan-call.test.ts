import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiClient } from '../../server/src/domain/accounts/api-client.ts'
import { countriesByMode } from '../../server/src/domain/accounts/modes.ts'
import type { AccountId, ServiceId, VerificationId } from '../../server/src/domain/core/slot.ts'
import { nonceBytes } from '../../server/src/domain/crypto/sealing.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { emptyNumberingIndex } from '../../server/src/domain/numbers/numbering-index.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { type PlanInput, planCall } from '../../server/src/domain/verifications/plan-call.ts'
import { mustRedispatch } from '../../server/src/domain/verifications/verification.ts'
import { Refusal } from '../../server/src/process/errors.ts'
import { freshKey, keyRing } from '../support/key-ring.ts'

const ring = () => keyRing([1, freshKey()])
const apiClient: ApiClient = {
  serviceId: 64 as ServiceId,
  accountId: 64 as AccountId,
  state: 'on',
  isTest: false,
  accountBlocked: false,
  mustVerifyPhone: false,
  addresses: [],
  statusStyle: 'class',
  idAlias: '',
  repeats: false,
  plainHttp: true,
  requestsPerSecond: null,
  tariff: 'uni',
  geography: ['RU', 'KZ', 'GB'],
  modes: ['flash', 'voice', 'mix', 'inbound'],
  testNumbers: true,
  language: 'ru',
  calls10Minutes: 3,
  callsDay: 5,
  inboundSeconds: 60,
  hourMax: 10,
  dayMax: 20,
  spendMax: null,
  prefixHourMax: 50,
  quietHours: '',
  timeZone: 'Europe/Moscow',
  providerModes: [],
}
const numbers = { RU: '79071234567', KZ: '77011234567', GB: '447400123456', FR: '33612345678', test: '79000000001' }
const validFrom = new Date(0)
const input: PlanInput = {
  apiClient,
  command: { phone: numbers.RU as PhoneNumber, code: undefined, client: 'order 7', unique: 'key', mode: 'flash' },
  table: {
    trunks: [{ ...trunkDefaults, name: 'one', channels: 10, callsPerSecond: 5, ringSeconds: 7 }],
    ranges: [{ trunk: 'one', country: '*', first: 70000000000, last: 70000009999 }],
    pricesOf: () =>
      (['flash', 'voice', 'mix'] as const).map((mode) => ({
        method: 'initCall',
        mode,
        country: '*',
        price: 850_000 as MicroAmount,
        validFrom,
      })),
    readAt: new Date(1_000),
    stop: undefined,
    prefixRefusal: () => undefined,
    prefixCap: (_, configured) => configured,
    codesFor: () => ['1111', '2222', '3333', '4444'],
    switchOvers: [],
    chargesFailed: () => false,
  },
  isOwnPhone: false,
  index: emptyNumberingIndex,
  keys: { phoneTenant: ring(), phoneSubscriber: ring(), phoneSlot: ring(), sealRecords: ring() },
  random: { code: 0.5, route: 0.999, probe: 0.999, nonce: new Uint8Array(nonceBytes) },
  prefixHourMax: 30,
  isLocalShard: () => true,
  queueFaultOf: () => undefined,
  openOrdersOf: () => 0,
}
type Changes = Omit<Partial<PlanInput>, 'command' | 'table' | 'apiClient'> & {
  readonly command?: Partial<PlanInput['command']>
  readonly table?: Partial<PlanInput['table']>
  readonly apiClient?: Partial<ApiClient>
}
const plan = ({ command, table, apiClient: client, ...rest }: Changes = {}) =>
  planCall({
    ...input,
    ...rest,
    command: { ...input.command, ...command },
    table: { ...input.table, ...table },
    apiClient: { ...apiClient, ...client },
  })
const to = (country: keyof typeof numbers, mode: PlanInput['command']['mode'] = 'flash') => ({
  command: { phone: numbers[country] as PhoneNumber, mode },
})
const refusal = (changes: Changes): string => {
  try {
    plan(changes)
    return 'none'
  } catch (error) {
    assert(error instanceof Refusal)
    return [error.refusal, error.retryAfterSeconds].filter((part) => part !== undefined).join(' ')
  }
}

test('the same input gives the same plan, with the code and the route that the random fractions choose', () => {
  assert.deepEqual(plan(), plan())
  const { isTest, code, routes, request } = plan()
  assert.deepEqual([isTest, code], [false, '3333'])
  assert.deepEqual(routes, [{ trunk: 'one', callerNumber: 70000003333, ringSeconds: 7, countsEarlyMedia: false }])
  assert.deepEqual(
    [request.country, request.price, request.trunk, request.callerNumber, request.code, request.prefixMax],
    ['RU', 850_000, 'one', 70000003333, '3333', 30],
  )
  assert.equal(request.keyDigests?.length, 1)
})

test('a request carries the limits of its service and no other column of the API client', () => {
  assert.deepEqual(Object.keys(plan().request).toSorted(), [
    'accountId',
    'callerNumber',
    'calls10Minutes',
    'callsDay',
    'chargesFailed',
    'clientDigest',
    'code',
    'country',
    'dayMax',
    'hourMax',
    'isTest',
    'keyDigests',
    'mode',
    'numberHashes',
    'optOutDigest',
    'personSealed',
    'phoneHash',
    'phoneInfo',
    'prefix',
    'prefixMax',
    'price',
    'serviceId',
    'spendMax',
    'trunk',
  ])
})

test('a number of another shard is left out of the request and stays in the plan', () => {
  const { request, number } = plan({ isLocalShard: () => false })
  assert.deepEqual([request.numberHashes, request.optOutDigest], [undefined, undefined])
  assert.deepEqual([number.hashes, number.optOutDigest], [plan().request.numberHashes, plan().request.optOutDigest])
})

test('the first rule that a request breaks names its refusal', () => {
  const stop = { table: { stop: {} } }
  const cases: readonly (readonly [Changes, string])[] = [
    [{}, 'none'],
    [{ command: { phone: '7916' as PhoneNumber }, ...stop }, 'invalidPhone'],
    [{ ...to('test'), apiClient: { testNumbers: false } }, 'invalidPhone'],
    [{ ...to('FR'), ...stop }, 'countryNotAllowed'],
    [{ ...to('GB', 'voice'), ...stop }, 'modeNotAvailable'],
    [{ ...to('RU', 'voice'), ...stop, apiClient: { modes: ['flash', 'mix'] } }, 'modeSwitchedOff'],
    [{ ...to('test', 'mix'), apiClient: { modes: ['flash'] } }, 'modeSwitchedOff'],
    [{ ...to('FR', 'mix'), apiClient: { modes: ['flash'] } }, 'countryNotAllowed'],
    [stop, 'callsStopped 30'],
    [{ table: { prefixRefusal: () => ({ refusal: 'prefixPaused', retryAfterMs: 1_500 }) } }, 'prefixPaused 2'],
    [{ table: { codesFor: () => [] } }, 'needsOperator 60'],
    [{ table: { trunks: [] } }, 'needsOperator 60'],
    [
      {
        table: { ranges: [{ trunk: 'one', country: '*', first: 70000000000, last: 70000000999 }] },
        command: { code: '1234' },
      },
      'noCallerNumber',
    ],
    [{ table: { ranges: [] }, command: { code: '1234' } }, 'needsOperator 60'],
    [{ table: { pricesOf: () => [] } }, 'needsOperator 60'],
    [{ queueFaultOf: (trunk) => (trunk === 'one' ? 'queue_full' : undefined) }, 'unavailable 5'],
  ]
  for (const [changes, expected] of cases) assert.equal(refusal(changes), expected, JSON.stringify(changes))
})

test('a test number is free, is not counted by prefix and is exempt from fraud rules and trunks', () => {
  const { isTest, routes, request } = plan({
    ...to('test', 'mix'),
    table: { stop: {}, trunks: [], pricesOf: () => [] },
  })
  assert.deepEqual(
    [isTest, routes[0].trunk, request.price, request.prefix, request.prefixMax],
    [true, 'test', 0, undefined, undefined],
  )
})

test('a virtual phone is called by test services of its account only, free and over the test trunk', () => {
  const scenario = '79000004821' as PhoneNumber
  const phones = { ...trunkDefaults, name: 'phones', isTest: true, channels: 10, callsPerSecond: 5 }
  const own = { isOwnPhone: true, apiClient: { isTest: true }, command: { phone: scenario, code: '4821' } } as const
  const table = { trunks: [phones, ...input.table.trunks] }
  const { isTest, routes, request } = plan({ ...own, table })
  assert.deepEqual([isTest, request.price, request.prefix], [true, 0, undefined])
  assert.deepEqual(
    routes.map(({ trunk, callerNumber }) => `${trunk} ${callerNumber}`),
    ['phones 70000004821'],
  )
  // Without a test trunk that is on, the call is simulated: no other trunk takes it.
  const withoutIt = [[], input.table.trunks, [{ ...phones, isOn: false }]]
  for (const trunks of withoutIt) assert.equal(plan({ ...own, table: { trunks } }).routes[0].trunk, 'test')
  const spoken = plan({ ...own, command: { ...own.command, mode: 'voice' } }).routes[0]
  assert.equal(spoken.callerNumber, 70000000000, 'a spoken code is not in the caller ID')

  const cases: readonly (readonly [Changes, string])[] = [
    [own, 'none'],
    [{ ...own, isOwnPhone: false }, 'invalidPhone'],
    [{ ...own, apiClient: { isTest: false } }, 'invalidPhone'],
    [{ apiClient: { isTest: true } }, 'invalidPhone'],
    [{ apiClient: { isTest: true }, isOwnPhone: true }, 'invalidPhone'],
    [{ ...to('test'), apiClient: { isTest: true } }, 'none'],
  ]
  for (const [changes, expected] of cases) {
    assert.equal(refusal({ ...changes, table }), expected, JSON.stringify(changes))
  }
})

test('each mode is offered in its countries and refused elsewhere', () => {
  for (const mode of ['flash', 'voice', 'mix'] as const) {
    for (const country of ['RU', 'KZ', 'GB'] as const) {
      const isOffered = countriesByMode[mode].some((one) => one === '*' || one === country)
      assert.equal(refusal(to(country, mode)), isOffered ? 'none' : 'modeNotAvailable', `${mode} ${country}`)
    }
  }
  assert.deepEqual(countriesByMode, { flash: ['*'], voice: ['RU', 'KZ'], mix: ['RU'] })
})

test('the lower of the two prefix caps counts, and either may be absent', () => {
  const max = (own: number | null, overall: number | undefined) =>
    plan({ apiClient: { prefixHourMax: own }, prefixHourMax: overall }).request.prefixMax
  assert.deepEqual(
    [max(50, 30), max(20, 30), max(null, 30), max(20, undefined), max(null, undefined)],
    [30, 20, 30, 20, undefined],
  )
})

test('a trunk without a free channel passes calls on to the first that has one, and keeps them if none has', () => {
  const names = ['one', 'two', 'three']
  const trunks = names.map((name, at) => ({ ...trunkDefaults, name, priority: at, channels: 10, callsPerSecond: 5 }))
  const ranges = names.map((trunk, at) => ({
    trunk,
    country: '*',
    first: 7000000e4 + at * 1e4,
    last: 7000000e4 + at * 1e4 + 9999,
  }))
  const inOrder = (open: readonly number[]) => {
    const openOrdersOf = (trunk: string) => open[names.indexOf(trunk)] ?? 0
    const { routes, request } = plan({ table: { trunks, ranges }, openOrdersOf })
    assert.equal(request.trunk, routes[0].trunk)
    assert(routes.every(({ callerNumber }) => callerNumber !== undefined && callerNumber % 1e4 === 3333))
    return routes.map(({ trunk }) => trunk).join(' ')
  }
  assert.equal(inOrder([0, 0, 0]), 'one two three')
  assert.equal(inOrder([9, 0, 0]), 'one two three')
  assert.equal(inOrder([10, 9, 0]), 'two one three')
  assert.equal(inOrder([10, 12, 0]), 'three one two')
  assert.equal(inOrder([10, 10, 10]), 'one two three')
})

test('of three hundred trunks eight are tried, first the one with a free channel or the one of a switch-over', () => {
  const names = Array.from({ length: 300 }, (_, at) => `trunk-${String(at).padStart(3, '0')}`)
  const trunks = names.map((name) => ({ ...trunkDefaults, name, channels: 10, callsPerSecond: 5 }))
  const ranges = names.map((trunk) => ({ trunk, country: '*', first: 70000000000, last: 70000009999 }))
  const tried = (changes: Pick<Changes, 'table' | 'openOrdersOf'> = {}) =>
    plan({ ...changes, table: { trunks, ranges, ...changes.table } }).routes.map(({ trunk }) => trunk)
  const lastFirst = ['trunk-299', ...names.slice(0, 7)]
  assert.deepEqual(tried(), names.slice(0, 8))
  assert.deepEqual(tried({ openOrdersOf: (trunk) => (trunk === 'trunk-299' ? 0 : 10) }), lastFirst)
  const switched = { from: 'trunk-000', to: 'trunk-299', phase: 'moved', isPaused: false } as const
  assert.deepEqual(tried({ table: { switchOvers: [{ ...switched, country: 'RU', provider: '' }] } }), lastFirst)
})

test('a retry dispatches an accepted call again after a second, and no claimed or ended one', () => {
  assert(!mustRedispatch({ state: 'accepted', acceptedAgoMs: 1_000 }, 1))
  assert(mustRedispatch({ state: 'accepted', acceptedAgoMs: 1_001 }, 1))
  assert(mustRedispatch({ state: 'accepted', acceptedAgoMs: 101 }, 0.1))
  for (const state of ['dialling', 'succeeded', 'failed'] as const) {
    assert(!mustRedispatch({ state, acceptedAgoMs: 60_000 }, 1))
  }
})

test('a flash call to a provider with a rule is placed in the mode of the rule, at its price and with the same code', () => {
  const index = { ...emptyNumberingIndex, find: () => range }
  const range = { organisation: 'ООО "Ромашка"', inn: '0000000001', region: '', city: '', isReserve: false }
  const prices = { flash: 400_000, voice: 1_200_000, mix: 1_500_000 } as const
  const pricesOf = (modes: readonly (keyof typeof prices)[]) => () =>
    modes.map((mode) => ({
      method: 'initCall' as const,
      mode,
      country: '*',
      price: prices[mode] as MicroAmount,
      validFrom,
    }))
  const placed = (changes: Changes = {}) => {
    const { request } = plan({
      index,
      ...changes,
      apiClient: { providerModes: ['Камыш=voice', 'Ромашка=mix'], ...changes.apiClient },
      table: { pricesOf: pricesOf(['flash', 'voice', 'mix']), ...changes.table },
    })
    return [request.mode, request.price, request.code]
  }
  assert.deepEqual(placed(), ['mix', prices.mix, '3333'])
  assert.deepEqual(placed({ command: { code: '4821' } }), ['mix', prices.mix, '4821'])
  assert.deepEqual(placed({ command: { mode: 'voice' } }).slice(0, 2), ['voice', prices.voice])
  assert.deepEqual(placed({ apiClient: { providerModes: ['Камыш=voice'] } }).slice(0, 2), ['flash', prices.flash])
  // Not sold, not offered, a repeat, a test: as requested.
  assert.deepEqual(placed({ table: { pricesOf: pricesOf(['flash', 'voice']) } }).slice(0, 2), ['flash', prices.flash])
  assert.equal(placed(to('GB'))[0], 'flash')
  assert.equal(placed({ command: { repeatOf: 1 as VerificationId } })[0], 'flash')
  assert.equal(placed(to('test'))[0], 'flash')
})
