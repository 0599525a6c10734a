// The role `web`: the dashboard, the console and their internal API. It shares the port of the role `api` if both run in one
// process; alone it listens itself.

import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { webPages } from '@ringproof/contract/web/pages.ts'
import { addDashboardKey } from '../actions/add-dashboard-key.ts'
import { findVisitor } from '../actions/find-visitor.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { readInstallation } from '../db/installation.ts'
import type { SlotMap } from '../db/slot-map.ts'
import type { Letters } from '../domain/people/letters.ts'
import type { Bus } from '../engine/bus.ts'
import { type NoteChange, watchLiveHints } from '../engine/live-hints.ts'
import { createCommandPhone, noPhones } from '../engine/phone-commands.ts'
import { createAddressLimits } from '../http/address-limits.ts'
import { listenAlone } from '../http/listen.ts'
import { createWebServer, headersAlways } from '../http/web-server.ts'
import type { Logger } from '../log.ts'
import {
  invitationLetter,
  knownEmailLetter,
  operatorLetter,
  passwordChangedLetter,
  resetLetter,
  signUpLetter,
} from '../mail/letters.ts'
import { createMailer, type Mail, type Mailer } from '../mail/mailer.ts'
import { createRandomBytes } from '../random-bytes.ts'
import { buildWebApp } from '../web/app.ts'
import { readAssets } from '../web/assets.ts'
import { allHandlers } from '../web/handlers/all.ts'
import type { WebDeps } from '../web/handlers/deps.ts'
import { createPasswords } from '../web/passwords.ts'
import { createRunHere } from '../web/run-here.ts'
import type { Closing, RoleDatabases, ServerDeps } from './server-deps.ts'

type WebBus = { readonly bus: Bus | undefined; readonly noteChange: NoteChange }

export type WebRole = Closing & { readonly listener: RequestListener }

export async function createWebRole(
  deps: ServerDeps,
  { slots }: Pick<RoleDatabases, 'slots'>,
  { bus, noteChange }: WebBus,
  version: string,
): Promise<WebRole> {
  const { config, clock, log, stopping } = deps
  const mailer = createMailer({ url: config.mailUrl, from: config.mailFrom, dir: config.mailDir }, clock, log)
  const limits = createAddressLimits(clock)
  const assets = readAssets(join(import.meta.dirname, '../../../web/dist'))
  if (assets.index === undefined) log.warn('web pages not built')
  const app = await buildWebApp({
    handlers: allHandlers(handlerDeps(deps, slots, mailer, { bus, noteChange }, version)),
    findVisitor: (token, address) => findVisitor({ slots }, token, address),
    limitRate: limits.take,
    watchLive: (accountId, onTopics) => (bus ? watchLiveHints(bus, accountId, onTopics) : { close: () => undefined }),
    assets,
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
      await app.close()
      await mailer.close()
    },
  }
}

// In a process without the API.
export async function serveWebAlone(role: WebRole, config: Config, clock: Clock): Promise<Closing> {
  return listenAlone(createWebServer(clock, headersAlways(config.publicUrl), role.listener), config, clock)
}

function handlerDeps(
  { config, keys, clock, log }: ServerDeps,
  slots: SlotMap,
  mailer: Mailer,
  { bus, noteChange }: WebBus,
  version: string,
): WebDeps {
  const randomBytes = createRandomBytes()
  const apiUrl = config.apiUrl ?? `http://127.0.0.1:${config.httpPort}`
  return {
    slots,
    get recordKeys() {
      return keys.sealRecords
    },
    keys,
    noteChange,
    commandPhone: bus ? createCommandPhone(bus) : noPhones,
    randomBytes,
    nowSeconds: () => clock.timeOfDayMs() / 1_000,
    passwords: createPasswords(randomBytes),
    letters: createLetters(slots, mailer, config.publicUrl, log),
    newServiceCaps: config.newServiceCaps,
    runHere: createRunHere({
      apiUrl,
      addKey: (actor, id) => addDashboardKey({ slots, randomBytes }, actor, id),
      clock,
    }),
    about: {
      publicUrl: config.publicUrl,
      version,
      isDemo: config.mailUrl === undefined,
      hasTelegram: config.telegramToken !== undefined,
    },
  }
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
