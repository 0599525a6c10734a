// Answers of the internal API for the tests of the pages, typed by the contract. Numbers belong to nobody.

import type { EndpointName, WebOutput } from '@ringproof/contract/web/api.ts'
import { dayMs, minuteMs } from '../../../server/src/domain/values/time.ts'
import { balanceAnswers, noMovements } from './balance-fixtures.ts'
import { consoleAnswers } from './console-fixtures.ts'
import { logAnswers, quietLog } from './log-fixtures.ts'
import { notices } from './notice-fixtures.ts'
import { numberAnswers } from './number-fixtures.ts'
import { settingAnswers } from './settings-fixtures.ts'
import { trunkAnswers } from './trunk-fixtures.ts'
import { noVerifications, verificationAnswers } from './verification-fixtures.ts'
import { noWebhooks, webhooksPage } from './webhook-fixtures.ts'

export type Answers = { [Name in EndpointName]?: WebOutput<Name> }

// `nowMs` is the clock of the browser: what happens now is counted from it.
export function startedAccount(nowMs: number): Answers {
  return {
    me: me(nowMs),
    start: {
      signedUpAt: nowMs - 72_000,
      steps: {
        service: { doneAt: nowMs - 34_000 },
        key: { doneAt: nowMs - 26_000 },
        testCall: { doneAt: null },
        realCall: { doneAt: null },
        webhook: { doneAt: null },
      },
      service: { id: 1024, name: 'My shop' },
    },
    services: { services: services(nowMs), canCreateLive: true },
    phones: phones(nowMs),
    ...verificationAnswers(nowMs),
    ...consoleAnswers(nowMs),
    ...balanceAnswers(nowMs),
    ...numberAnswers(nowMs),
    ...trunkAnswers(nowMs),
    webhooks: webhooksPage(nowMs),
    security: security(nowMs),
    members: members(nowMs),
    notices,
    installation: { ...installation, termsUrl: 'https://example.org/terms', privacyUrl: 'https://example.org/privacy' },
    'create-service': { serviceId: 1044, key: 'w4Hn8sTz1QcVb6YxLk0RmJd9Fe3UgPa7' },
    'rotate-service-key': { serviceId: 1024, key: 'w4Hn8sTz1QcVb6YxLk0RmJd9Fe3UgPa7' },
    'start-totp': {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Ringproof:you@example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Ringproof',
    },
    'confirm-totp': { recoveryCodes: recoveryCodes() },
    'run-here': {
      status: 200,
      body: '{"status":true,"vendor_id":3605214872064,"phone":"79000000001","code":"4821","client":"","unique_request_id":null,"exists":false}',
      request: 'POST /v1.0/initCall',
      ms: 38,
      verificationId: 3_605_214_872_064,
    },
    'send-example-webhook': {
      attempt: { endedAt: nowMs, ms: 46, status: 204, failure: '', response: '' },
      body: '{"callId":"1","callbackLink":"https://hooks.example.org/ring","clientNumber":"79000000001"}',
    },
    'set-notice-webhook': { secret: 'whsec_bm90IGEgc2VjcmV0IG9mIGFueWJvZHkgYXQgYWxs' },
    'rotate-webhook-secret': { serviceId: 1024, secret: 'whsec_bm90IGEgc2VjcmV0IG9mIGFueWJvZHkgYXQgYWxs' },
    ...logAnswers(nowMs),
    ...settingAnswers,
    'type-digits': { isRight: true, secondsSinceSignUp: 74 },
    'read-invitation': { email: 'new@example.org', accountName: 'My shop', needsPassword: true },
  }
}

export function signedOut(nowMs: number): Answers {
  return { me: { ...me(nowMs), stage: 'signed-out', user: null, account: null, accounts: [], factors: [] } }
}

export function secondStep(nowMs: number): Answers {
  return {
    me: {
      ...me(nowMs),
      stage: 'second-step',
      account: null,
      accounts: [],
      factors: ['totp', 'passkey', 'telegram', 'recovery'],
    },
  }
}

// Nothing was made yet.
export function newAccount(nowMs: number): Answers {
  const none = { doneAt: null }
  return {
    ...startedAccount(nowMs),
    start: {
      signedUpAt: nowMs - 20_000,
      steps: { service: none, key: none, testCall: none, realCall: none, webhook: none },
      service: null,
    },
    services: { services: [], canCreateLive: false },
    phones: { ...phones(nowMs), calls: [], faults: [], areReal: false },
    ...noVerifications(nowMs),
    ...noMovements(nowMs),
    webhooks: noWebhooks,
    ...quietLog,
  }
}

// Looks and changes nothing.
export function viewerOf(answers: Answers): Answers {
  const { me: before } = answers
  if (before === undefined || before.account === null) return answers
  return { ...answers, me: { ...before, account: { ...before.account, role: 'viewer' } } }
}

const installation = {
  name: 'Example Telecom',
  supportAddress: 'help@example.org',
  termsUrl: '',
  privacyUrl: '',
  termsVersion: '2026-11',
  isSignUpOpen: true,
  purpose: 'provider' as const,
}

function me(nowMs: number): WebOutput<'me'> {
  return {
    installation: {
      ...installation,
      termsUrl: 'https://example.org/terms',
      privacyUrl: 'https://example.org/privacy',
      publicUrl: 'https://ring.example.org',
      version: '0.1.0',
      currency: 'RUB',
      isDemo: true,
      hasTelegram: true,
    },
    stage: 'signed-in',
    factors: ['totp', 'recovery'],
    user: {
      email: 'you@example.org',
      name: '',
      language: 'en',
      operatorRole: 'admin',
      mustAddFactor: false,
      signedUpAt: nowMs - 72_000,
    },
    account: {
      id: 512,
      name: 'My shop',
      role: 'owner',
      timeZone: 'Europe/Moscow',
      balance: 3_118.2,
      mustVerifyPhone: false,
      createdAt: nowMs - 72_000,
      closedAt: null,
    },
    accounts: [
      { id: 512, name: 'My shop', role: 'owner' },
      { id: 576, name: 'Delivery', role: 'developer' },
    ],
    viewUntil: null,
  }
}

type Service = WebOutput<'services'>['services'][number]

function services(nowMs: number): Service[] {
  return [...busyServices(nowMs), ...quietServices(nowMs)]
}

function serviceBase(nowMs: number) {
  return {
    state: 'on' as const,
    isTest: false,
    areTestNumbersOn: true,
    isLiveWithTestNumbers: false,
    createdAt: nowMs - 250 * dayMs,
    advice: null,
    spendDayMax: null,
    startedToday: 0,
    spentToday: 0,
  }
}

function keyBase(nowMs: number) {
  const scopes: Service['keys'][number]['scopes'] = ['start', 'read']
  return { name: 'main', scopes, validUntil: null, isReplaced: false, createdAt: nowMs - 250 * dayMs }
}

function busyServices(nowMs: number): Service[] {
  const base = serviceBase(nowMs)
  const key = keyBase(nowMs)
  return [
    {
      ...base,
      id: 1024,
      name: 'My shop',
      isLiveWithTestNumbers: true,
      lastRequestAt: nowMs - 4_000,
      startedToday: 1_397,
      spentToday: 381.2,
      spendDayMax: 1_500,
      keys: [{ ...key, start: 'k7Qd', lastUsedAt: nowMs - 4_000 }],
    },
    {
      ...base,
      id: 1031,
      name: 'Delivery app',
      areTestNumbersOn: false,
      lastRequestAt: nowMs - 2_000,
      startedToday: 517,
      spentToday: 164.4,
      keys: [
        { ...key, start: 'p3Wn', isReplaced: true, validUntil: nowMs + dayMs, lastUsedAt: nowMs - 4_000 },
        { ...key, start: 'Zt8c', lastUsedAt: nowMs - 2_000 },
      ],
    },
  ]
}

function quietServices(nowMs: number): Service[] {
  const base = serviceBase(nowMs)
  const key = keyBase(nowMs)
  const reports = { ...key, name: 'reports', start: 'm9Rt', scopes: ['read' as const], lastUsedAt: null }
  return [
    {
      ...base,
      id: 1025,
      name: 'My shop, tests',
      isTest: true,
      lastRequestAt: nowMs - 12 * minuteMs,
      startedToday: 86,
      keys: [
        { ...key, start: 'e2Lx', lastUsedAt: nowMs - 12 * minuteMs },
        { ...reports, validUntil: nowMs + 30 * dayMs },
      ],
    },
    {
      ...base,
      id: 1019,
      name: 'Old landing page',
      state: 'off',
      lastRequestAt: nowMs - 41 * dayMs,
      keys: [{ ...key, start: 'Hb5r', lastUsedAt: nowMs - 41 * dayMs }],
    },
    { ...base, id: 1003, name: 'Winter sale', state: 'archived', lastRequestAt: nowMs - 300 * dayMs, keys: [] },
  ]
}

type PhoneCall = WebOutput<'phones'>['calls'][number]

function phones(nowMs: number): WebOutput<'phones'> {
  return {
    phones: [
      { number: '79000000001', state: 'rings', isReal: true },
      { number: '79000000002', state: 'fails', isReal: false },
      { number: '79000000113', state: 'answers', isReal: true },
      { number: '79000000118', state: 'off', isReal: true },
    ],
    calls: [ringing(nowMs), inbound(nowMs), failed(nowMs)],
    faults: ['late-ring'],
    areReal: true,
  }
}

function ringing(nowMs: number): PhoneCall {
  return {
    id: 3_605_214_872_064,
    number: '79000000001',
    mode: 'flash',
    state: 'ringing',
    reason: null,
    sipStatus: null,
    callerNumber: '70000004821',
    code: '4821',
    confirmationNumber: null,
    serviceName: 'My shop',
    price: 0.4,
    startedAt: nowMs - 4_200,
    dialledMs: 93,
    rangMs: 511,
    answeredMs: null,
    endedMs: null,
    expiresMs: null,
    webhooks: [],
  }
}

function inbound(nowMs: number): PhoneCall {
  return {
    ...ringing(nowMs),
    id: 3_605_214_872_001,
    number: '79000000113',
    mode: 'inbound',
    state: 'succeeded',
    reason: 'rang',
    callerNumber: null,
    code: null,
    confirmationNumber: '70000000199',
    price: 0.25,
    startedAt: nowMs - 4 * minuteMs,
    dialledMs: null,
    rangMs: null,
    endedMs: 11_400,
    expiresMs: 300_000,
    webhooks: [
      { atMs: 11_500, status: 503, error: '' },
      { atMs: 13_600, status: 200, error: '' },
    ],
  }
}

function failed(nowMs: number): PhoneCall {
  return {
    ...ringing(nowMs),
    id: 3_605_214_871_900,
    number: '79000000118',
    state: 'failed',
    reason: 'no-ringing',
    sipStatus: 480,
    startedAt: nowMs - 7 * minuteMs,
    dialledMs: 100,
    rangMs: null,
    endedMs: 2_200,
  }
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1'

function security(nowMs: number): WebOutput<'security'> {
  const entry = { address: '198.51.100.23', userAgent: firefox, who: 'you@example.org' }
  return {
    sessions: [
      {
        id: 'a',
        isThis: true,
        address: '198.51.100.23',
        userAgent: firefox,
        createdAt: nowMs - dayMs,
        seenAt: nowMs,
      },
      {
        id: 'b',
        isThis: false,
        address: '203.0.113.77',
        userAgent: safari,
        createdAt: nowMs - 3 * dayMs,
        seenAt: nowMs - 5 * 3_600_000,
      },
    ],
    totp: { isOn: true, recoveryCodesLeft: 8 },
    passkeys: [{ id: 'p', name: 'Work laptop', createdAt: nowMs - 20 * dayMs, usedAt: nowMs - dayMs }],
    telegram: { isAvailable: true, isOn: false, name: '' },
    log: [
      { ...entry, action: 'service created', at: nowMs - 34_000 },
      { ...entry, action: 'signed in', at: nowMs - 70_000 },
    ],
    ownPhone: { verifiedAt: null, mask: '' },
  }
}

function members(nowMs: number): WebOutput<'members'> {
  return {
    members: [
      { userId: 1, email: 'you@example.org', name: '', role: 'owner', hasFactor: true, since: nowMs - 250 * dayMs },
      {
        userId: 2,
        email: 'anna@example.org',
        name: 'Anna',
        role: 'developer',
        hasFactor: false,
        since: nowMs - 90 * dayMs,
      },
    ],
    invitations: [{ email: 'new@example.org', role: 'accountant', until: nowMs + 2 * dayMs }],
  }
}

function recoveryCodes(): string[] {
  return Array.from({ length: 10 }, (_, at) => `k${at}x2-9f${at}m-q7r${at}`)
}
