// What the role `web` serves, put together: the dashboard, the console and their internal API. roles/web.ts loads it.

import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { webPages } from '@ringproof/contract/web/pages.ts'
import { exportAccount } from '../actions/accounts/export-account.ts'
import { addDashboardKey } from '../actions/accounts/keys.ts'
import { listAuditLog } from '../actions/installation/audit-log.ts'
import { showAct, showInvoice } from '../actions/money/papers-view.ts'
import { showStatus } from '../actions/notices/announcements.ts'
import type { TestNotices } from '../actions/notices/notices.ts'
import { noteSecondFactors } from '../actions/people/security-changes.ts'
import { linkTelegram } from '../actions/people/telegram.ts'
import { findVisitor } from '../actions/people/visitor.ts'
import { listOwnVerifications } from '../actions/verifications/own-verifications-view.ts'
import { exportSipMessages } from '../actions/verifications/sip-messages.ts'
import { listVerifications } from '../actions/verifications/verifications.ts'
import { readAccount } from '../db/accounts/account.ts'
import { tryLead } from '../db/core/lead.ts'
import type { SlotMap } from '../db/core/slot-map.ts'
import { readInstallation, readPurpose } from '../db/installation/installation.ts'
import { deleteExpired } from '../db/people/web-session.ts'
import { slotOfAccount } from '../domain/core/slot.ts'
import type { Letters } from '../domain/people/letters.ts'
import { customerLimits } from '../domain/people/session.ts'
import { hourMs } from '../domain/values/time.ts'
import type { Bus } from '../engine/core/bus.ts'
import { type NoteChange, watchLiveHints } from '../engine/core/live-hints.ts'
import { createRegistryFetchRequest } from '../engine/numbers/registry-fetch.ts'
import { createCommandPhone, noPhones } from '../engine/phones/phone-commands.ts'
import { createTrunkTestDispatch, noTrunkTests } from '../engine/trunks/trunk-tests.ts'
import { createAddressLimits } from '../http/address-limits.ts'
import {
  invitationLetter,
  knownEmailLetter,
  operatorLetter,
  passwordChangedLetter,
  resetLetter,
  signUpLetter,
} from '../mail/letters.ts'
import { createMailer, type Mail, type Mailer } from '../mail/mailer.ts'
import { noticeMail, noticeText } from '../mail/notices.ts'
import type { Telegram } from '../mail/telegram.ts'
import { numberingStatus, rollBack } from '../numbering/inspect.ts'
import { createDiff } from '../numbering/threads.ts'
import { createClock } from '../process/clock.ts'
import type { Config } from '../process/config/config.ts'
import type { Logger } from '../process/log/log.ts'
import { createRandomBytes } from '../process/random-bytes.ts'
import { buildWebApp } from '../web/app.ts'
import { readAssets } from '../web/assets.ts'
import { allHandlers } from '../web/handlers/all.ts'
import type { WebDeps } from '../web/handlers/core/deps.ts'
import { createPasswords } from '../web/passwords.ts'
import { createRingOwnPhone, createRunHere } from '../web/run-here.ts'
import { createTestLimit } from '../web/test-limit.ts'
import { createResolver } from '../webhooks/resolve.ts'
import { signedHeaders } from '../webhooks/sign.ts'
import { createExamination } from './examination.ts'
import { noticeLinks } from './notice-links.ts'
import type { Closing, RoleDatabases, ServerDeps } from './server-deps.ts'
import { createLazyDelivery } from './webhooks.ts'

const cleanMs = hourMs
export type WebBus = { readonly bus: Bus | undefined; readonly noteChange: NoteChange }

export async function createWebPages(
  deps: ServerDeps,
  { slots }: Pick<RoleDatabases, 'slots'>,
  { bus, noteChange }: WebBus,
  version: string,
): Promise<Closing & { readonly listener: RequestListener }> {
  const { config, clock, log, stopping } = deps
  const mailer = createMailer({ url: config.mailUrl, from: config.mailFrom, dir: config.mailDir }, clock, log)
  const limits = createAddressLimits(clock)
  const cleaning = clock.every(cleanMs, () => {
    deleteExpired(slots.globalDatabase, customerLimits).catch((error: unknown) =>
      log.warn({ err: error }, 'expired sessions not deleted'),
    )
  })
  const assets = readAssets(join(import.meta.dirname, '../../../web/dist'))
  if (assets.index === undefined) log.warn('web pages not built')
  const telegram = await createTelegram(deps, slots)
  const examples = createExamples(deps)
  const webDeps = {
    ...handlerDeps(deps, slots, mailer, { bus, noteChange }, version),
    limitLookups: (address: string, count: number) =>
      limits.take(address, 'web number check', config.requestsPerSecond, count),
    telegram,
    testNotices: createTestNotices(slots, mailer, config, telegram),
    sendWebhook: examples.send,
    examine: createExamination(config, slots),
    numberingFiles: openNumbering(config.numberingDir, bus),
  }
  const app = await buildWebApp({
    handlers: allHandlers(webDeps),
    listVerifications: (...page) => listOwnVerifications(webDeps, ...page),
    listAudit: (...page) => listAuditLog(webDeps, ...page),
    listCalls: (...page) => listVerifications(webDeps, ...page),
    exportMessages: (...call) => exportSipMessages(webDeps, ...call),
    exportAccount: (accountId) => exportAccount(webDeps, accountId),
    showStatus: () => showStatus(webDeps),
    sellsCalls: async () => (await readPurpose(slots.globalDatabase)) === 'provider',
    isClosed: async (accountId) => {
      const account = await readAccount(slots.databaseOf(slotOfAccount(accountId)), accountId)
      return account !== undefined && account.closedAt !== null
    },
    papers: {
      showInvoice: (accountId, number) => showInvoice(webDeps, accountId, number),
      showAct: (accountId, month) => showAct(webDeps, accountId, month),
    },
    findVisitor: (token, address, isPresent) => findVisitor({ slots }, token, address, isPresent),
    limitRate: limits.take,
    watchLive: (accountId, onTopics) => (bus ? watchLiveHints(bus, accountId, onTopics) : { close: () => undefined }),
    assets,
    currency: config.currency,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    stopping,
    clock,
    log,
  })
  return {
    listener: (request, response) => app.routing(request, response),
    close: async () => {
      limits.close()
      cleaning.stop()
      await app.close()
      await telegram?.close()
      await examples.close()
      await mailer.close()
    },
  }
}

function handlerDeps(
  { config, settings, keys, numbers, registryAtMs, events, clock, log, stopping }: ServerDeps,
  slots: SlotMap,
  mailer: Mailer,
  { bus, noteChange }: WebBus,
  version: string,
): Omit<WebDeps, 'telegram' | 'testNotices' | 'sendWebhook' | 'limitLookups' | 'examine' | 'numberingFiles'> {
  const randomBytes = createRandomBytes()
  const apiUrl = config.apiUrl ?? `http://127.0.0.1:${config.httpPort}`
  return {
    slots,
    get recordKeys() {
      return keys.sealRecords
    },
    keys,
    numbers,
    registryAtMs,
    noteLookupCharged: (price) => events.charged('lookup', price),
    timeScale: config.timeScale,
    requestsPerSecond: config.requestsPerSecond,
    prefixHourMax: config.prefixHourMax,
    limitTests: createTestLimit(clock),
    noteChange,
    commandPhone: bus ? createCommandPhone(bus) : noPhones,
    dispatchTrunkTest: bus ? createTrunkTestDispatch(bus) : noTrunkTests,
    registryFetch: {
      isOn: config.registryUrl !== undefined,
      everyHours: config.registryFetchHours,
      request: bus ? createRegistryFetchRequest(bus) : async () => false,
    },
    randomBytes,
    pause: (ms) => clock.sleep(ms, stopping),
    nowSeconds: () => clock.timeOfDayMs() / 1_000,
    passwords: createPasswords(randomBytes),
    letters: createLetters(slots, mailer, config.publicUrl, log),
    newServiceCaps: config.newServiceCaps,
    currency: config.currency,
    webhookAllow: config.webhookAllow,
    ringOwnPhone:
      config.ownService === undefined
        ? undefined
        : createRingOwnPhone({ apiUrl, ownService: config.ownService, clock }),
    runHere: createRunHere({
      apiUrl,
      publicUrl: config.publicUrl,
      addKey: (actor, id) => addDashboardKey({ slots, randomBytes }, actor, id),
      clock,
    }),
    settings,
    about: {
      publicUrl: config.publicUrl,
      version,
      currency: config.currency,
      isDemo: config.mailUrl === undefined,
      hasTelegram: config.telegramToken !== undefined,
    },
  }
}

function openNumbering(dir: string, bus: Bus | undefined): WebDeps['numberingFiles'] {
  if (dir === '') return undefined
  return {
    status: () => numberingStatus(dir),
    diff: createDiff(dir, createClock(1)),
    rollBack: async () => {
      const version = await rollBack(dir)
      bus?.connection.publish(bus.names.numberingSubject)
      return version
    },
  }
}

// Examples of webhooks go the way of webhooks, with the same checks of the address.
function createExamples({ config, clock }: ServerDeps): Closing & { readonly send: WebDeps['sendWebhook'] } {
  const { timeScale, webhookAllow } = config
  const resolve = createResolver({ clock, timeScale })
  const { deliver, close } = createLazyDelivery({ webhookAllow, resolve, clock, timeScale })
  const send: WebDeps['sendWebhook'] = (url, { secrets, id, at }, body) =>
    deliver(url, signedHeaders(secrets, id, at, body), body)
  return { send, close }
}

// Loaded only with a bot: grammY is large.
async function createTelegram({ config, clock, log }: ServerDeps, slots: SlotMap): Promise<Telegram | undefined> {
  const { telegramToken: token, telegramApi: api } = config
  if (token === undefined) return undefined
  const { startTelegram } = await import('../mail/telegram.ts')
  return startTelegram(
    { token, api },
    {
      tryLead: () => tryLead(slots.globalDatabase, 'telegram'),
      onStart: async (link, from) => {
        const user = await linkTelegram({ slots }, link, from, new Date(clock.timeOfDayMs()))
        if (user) await noteSecondFactors({ slots }, user.id)
        return linkedSentences[user ? 'yes' : 'no'][user?.language ?? 'en']
      },
      clock,
      log,
    },
  )
}

function createTestNotices(
  slots: SlotMap,
  mailer: Mailer,
  { publicUrl, currency }: Config,
  telegram: Telegram | undefined,
): TestNotices {
  const notice = { kind: 'test', details: {}, currency } as const
  const links = noticeLinks(publicUrl, notice.kind)
  return {
    email: async (user) => {
      const sender = await readInstallation(slots.globalDatabase)
      await mailer.sendNow(noticeMail(sender, user, links, notice))
    },
    telegram: telegram && ((user, telegramId) => telegram.send(telegramId, noticeText(user.language, links, notice))),
  }
}

const linkedSentences = {
  yes: {
    en: 'Done. Codes for signing in will come here.',
    ru: 'Готово. Коды для входа будут приходить сюда.',
  },
  no: {
    en: 'This link no longer works. Open a new one in the dashboard: Account and security.',
    ru: 'Ссылка больше не работает. Откройте новую в личном кабинете: «Аккаунт и защита».',
  },
}

// The token stands in the fragment, which a browser never sends: no log, ours or a proxy's, contains it.
function createLetters(slots: SlotMap, mailer: Mailer, publicUrl: string, log: Logger): Letters {
  const link = (page: string, token?: string) => `${publicUrl}${page}${token === undefined ? '' : `#token=${token}`}`
  const send = (write: (sender: { name: string; supportAddress: string }) => Mail) => {
    readInstallation(slots.globalDatabase).then(
      (sender) => mailer.send(write(sender)),
      (error: unknown) => log.warn({ err: error }, 'mail not written'),
    )
  }
  const { confirmEmail, signIn, resetPassword, acceptInvitation } = webPages
  return {
    signUp: (to, token) => send((sender) => signUpLetter(sender, to, link(confirmEmail, token))),
    knownEmail: (to) => send((sender) => knownEmailLetter(sender, to, link(signIn))),
    reset: (to, token) => send((sender) => resetLetter(sender, to, link(resetPassword, token))),
    passwordChanged: (to) => send((sender) => passwordChangedLetter(sender, to, link(signIn))),
    invitation: (to, token, invited) =>
      send((sender) => invitationLetter(sender, to, link(acceptInvitation, token), invited)),
    operator: (to, token) => send((sender) => operatorLetter(sender, to, link(acceptInvitation, token))),
  }
}
