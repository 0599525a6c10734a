// The internal API between the web pages and the server: every endpoint, who may call it, what goes in and what comes out. It is
// versioned with the assets; programs use /v1.0. It never carries a full phone number towards the browser, except test numbers and, to operators, the
// installation's own and where ranges of the public registry begin and end.

import type { Static } from 'typebox'
import { announcementEndpoints } from './announcements.ts'
import { auditEndpoints } from './audit.ts'
import { balanceEndpoints } from './balance.ts'
import { callerNumberEndpoints } from './caller-numbers.ts'
import { callEndpoints } from './calls.ts'
import { customerEndpoints } from './customers.ts'
import { deliverabilityEndpoints } from './deliverability.ts'
import { deliveryEndpoints } from './deliveries.ts'
import { identityEndpoints } from './identity.ts'
import { inboundEndpoints } from './inbound.ts'
import { installationEndpoints } from './installation.ts'
import { logEndpoints } from './log.ts'
import { messageEndpoints } from './messages.ts'
import { noticeEndpoints } from './notices.ts'
import { numberEndpoints } from './numbers.ts'
import { paymentEndpoints } from './payments.ts'
import { phoneEndpoints } from './phones.ts'
import { protectionEndpoints } from './protection.ts'
import { registryEndpoints } from './registries.ts'
import { routingEndpoints } from './routing.ts'
import { serviceEndpoints } from './services.ts'
import { settingEndpoints } from './settings.ts'
import { startEndpoints } from './start.ts'
import { statisticsEndpoints } from './statistics.ts'
import { switchOverEndpoints } from './switch-overs.ts'
import { tariffEndpoints } from './tariffs.ts'
import { trunkEndpoints } from './trunks.ts'
import { verificationEndpoints } from './verifications.ts'
import { wallboardEndpoints } from './wallboard.ts'
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
  ...callEndpoints,
  ...auditEndpoints,
  ...deliverabilityEndpoints,
  ...webhookEndpoints,
  ...logEndpoints,
  ...installationEndpoints,
  ...trunkEndpoints,
  ...callerNumberEndpoints,
  ...routingEndpoints,
  ...switchOverEndpoints,
  ...wallboardEndpoints,
  ...inboundEndpoints,
  ...deliveryEndpoints,
  ...customerEndpoints,
  ...protectionEndpoints,
  ...tariffEndpoints,
  ...announcementEndpoints,
  ...registryEndpoints,
}

export type EndpointName = keyof typeof webApi
// Tables, so that the compiler works out each endpoint once: a generic Static is compared over all of them at every use.
type Inputs = { readonly [Name in keyof typeof webApi]: Static<(typeof webApi)[Name]['input']> }
type Outputs = { readonly [Name in keyof typeof webApi]: Static<(typeof webApi)[Name]['output']> }
export type WebInput<Name extends EndpointName> = Inputs[Name]
export type WebOutput<Name extends EndpointName> = Outputs[Name]

// What exists only where calls are sold.
export const sellingEndpoints: ReadonlySet<string> = new Set(
  [balanceEndpoints, paymentEndpoints, tariffEndpoints, customerEndpoints].flatMap((endpoints) =>
    Object.keys(endpoints),
  ),
)

// A refusal: `error` is one of these, and the page has a sentence for it in each language. `fields` names the fields at fault.
const webErrors = [
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
  'view-only',
] as const
export type WebError = (typeof webErrors)[number]
export type WebRefusal = { readonly error: WebError; readonly fields?: readonly string[]; readonly retryAfter?: number }

// What a server-sent event may be about: a hint to read again.
const liveTopics = ['verifications', 'requests', 'services', 'phones', 'start', 'money', 'me'] as const
export type LiveTopic = (typeof liveTopics)[number]
