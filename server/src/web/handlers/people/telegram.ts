import { noteSecondFactors } from '../../../actions/people/security-changes.ts'
import { issueTelegramLink, removeTelegram, sendTelegramCode } from '../../../actions/people/telegram.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, visitorOf } from '../core/handlers.ts'

export function telegramHandlers(deps: WebDeps) {
  return {
    'send-telegram-code': async (visit) => {
      const { telegram } = deps
      if (!telegram) throw new Denial('unavailable')
      await sendTelegramCode({ ...deps, sendTelegram: telegram.send }, visitorOf(visit).user)
    },
    'start-telegram': async (visit) => {
      const bot = deps.telegram?.botName()
      if (bot === undefined) throw new Denial('unavailable')
      const { token, until } = await issueTelegramLink(deps, visitorOf(visit))
      return { link: `https://t.me/${bot}?start=${token}`, until: until.getTime() }
    },
    'remove-telegram': async (visit) => {
      const visitor = visitorOf(visit)
      await removeTelegram(deps, visit.actor, visitor)
      await noteSecondFactors(deps, visitor.user.id)
    },
  } satisfies Partial<Handlers>
}
