// The internal API between the web pages and the server: every endpoint, who may call it, what goes in and what comes out. It is
// versioned with the assets; programs use /v1.0. It never carries a full phone number towards the browser, except test numbers.

import type { Static, TSchema } from 'typebox'
import { balanceEndpoints } from './balance.ts'
import { identityEndpoints } from './identity.ts'
import { installationEndpoints } from './installation.ts'
import { logEndpoints } from './log.ts'
import { messageEndpoints } from './messages.ts'
import { noticeEndpoints } from './notices.ts'
import { numberEndpoints } from './numbers.ts'
import { paymentEndpoints } from './payments.ts'
import { phoneEndpoints } from './phones.ts'
import { serviceEndpoints } from './services.ts'
import { settingEndpoints } from './settings.ts'
import { startEndpoints } from './start.ts'
import { statisticsEndpoints } from './statistics.ts'
import { verificationEndpoints } from './verifications.ts'
import { webhookEndpoints } from './webhooks.ts'

export const webApi = {
  ...identityEndpoints,
  ...serviceEndpoints,
  ...settingEndpoints,
  ...startEndpoints,
  ...phoneEndpoints,
  ...verificationEndpoints,
  ...statisticsEndpoints,
  ...balanceEndpoints,
  ...numberEndpoints,
  ...noticeEndpoints,
  ...paymentEndpoints,
  ...messageEndpoints,
  ...webhookEndpoints,
  ...logEndpoints,
  ...installationEndpoints,
}

export type EndpointName = keyof typeof webApi
export type WebInput<Name extends EndpointName> = Static<(typeof webApi)[Name]['input']>
export type WebOutput<Name extends EndpointName> = (typeof webApi)[Name]['output'] extends infer Output extends TSchema
  ? Static<Output>
  : never

// A refusal: `error` is one of these, and the page has a sentence for it in each language. `fields` names the fields at fault.
export const webErrors = [
  'invalid',
  'not-signed-in',
  'forbidden',
  'other-account',
  'not-found',
  'wrong-credentials',
  'wrong-code',
  'confirm-person',
  'add-factor',
  'throttled',
  'link-used',
  'weak-password',
  'insecure-origin',
  'taken',
  'too-many',
  'conflict',
  'unavailable',
  'foreign-origin',
  'password-needed',
  'account-closed',
] as const
export type WebError = (typeof webErrors)[number]
export type WebRefusal = { readonly error: WebError; readonly fields?: readonly string[]; readonly retryAfter?: number }

// What a server-sent event may be about: a hint to read again.
export const liveTopics = ['verifications', 'requests', 'services', 'phones', 'start', 'money', 'me'] as const
export type LiveTopic = (typeof liveTopics)[number]
