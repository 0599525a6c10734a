// The Telegram bot: links a person's Telegram, and sends codes for the second step. It asks Telegram for updates instead of being
// called, so there is no address that somebody could send a forged update to. Of several processes one asks at a time.
//
// The bot's token is part of every URL of the Bot API: nothing that grammY throws is logged without removing it.

import { Bot, GrammyError } from 'grammy'
import type { Clock } from '../process/clock.ts'
import type { Logger } from '../process/log/log.ts'

export type Telegram = {
  readonly send: (telegramId: number, text: string) => Promise<void>
  // Undefined until Telegram was reached for the first time.
  readonly botName: () => string | undefined
  readonly close: () => Promise<void>
}

type Settings = { readonly token: string; readonly api: string }
type Lead = { readonly lost: Promise<void>; readonly release: () => Promise<void> }

type Deps = {
  // Somebody opened the bot with a link from the dashboard; returns what the bot says.
  readonly onStart: (token: string, from: { readonly id: number; readonly name: string }) => Promise<string>
  // Undefined while another process asks for updates.
  readonly tryLead: () => Promise<Lead | undefined>
  readonly clock: Clock
  readonly log: Logger
}

const retryMs = 5_000
const pollSeconds = 25
const probeSeconds = 4

export function startTelegram({ token, api }: Settings, { onStart, tryLead, clock, log }: Deps): Telegram {
  const bot = new Bot(token, { client: { apiRoot: api, timeoutSeconds: pollSeconds + 10 } })
  const closing = new AbortController()
  const warn = (error: unknown) => log.warn({ err: withoutToken(error, token) }, 'telegram not reached')
  bot.command('start', async (context) => {
    const { from, match } = context
    if (!from || match === '') return
    const name = from.username ? `@${from.username}` : from.first_name
    await context.reply(await onStart(match, { id: from.id, name }))
  })
  bot.catch(({ error }) => warn(error))
  const poll = async () => {
    while (!closing.signal.aborted) {
      try {
        if (!bot.isInited()) await bot.init(closing.signal as never)
        const lead = await tryLead()
        if (lead) {
          const stop = () => void bot.stop().catch(warn)
          closing.signal.addEventListener('abort', stop)
          lead.lost.then(stop, stop)
          try {
            // The process may have been stopped while this asked for the lead.
            if (!closing.signal.aborted) await bot.start({ timeout: pollSeconds, allowed_updates: ['message'] })
          } finally {
            closing.signal.removeEventListener('abort', stop)
            await lead.release()
          }
        }
      } catch (error) {
        if (!closing.signal.aborted) warn(error)
      }
      await clock.sleep(retryMs, closing.signal)
    }
  }
  const polling = poll()
  return {
    botName: () => (bot.isInited() ? bot.botInfo.username : undefined),
    send: async (telegramId, text) => {
      try {
        await bot.api.sendMessage(telegramId, text)
      } catch (error) {
        throw withoutToken(error, token)
      }
    },
    close: async () => {
      closing.abort()
      await polling
    },
  }
}

// For a process that only sends.
export function createTelegramSender({ token, api }: Settings): Telegram['send'] {
  const bot = new Bot(token, { client: { apiRoot: api, timeoutSeconds: probeSeconds } })
  return async (telegramId, text) => {
    await bot.api.sendMessage(telegramId, text).catch((error: unknown) => {
      throw withoutToken(error, token)
    })
  }
}

// The name of the bot; rejects with the reason if Telegram does not accept its token.
export async function probeTelegram({ token, api }: Settings, signal: AbortSignal): Promise<string> {
  const bot = new Bot(token, { client: { apiRoot: api, timeoutSeconds: probeSeconds } })
  try {
    const { username } = await bot.api.getMe(signal as never)
    return username
  } catch (error) {
    throw withoutToken(error, token)
  }
}

function withoutToken(error: unknown, token: string): Error {
  const text = error instanceof GrammyError ? error.description : error instanceof Error ? error.message : String(error)
  return new Error(text.replaceAll(token, '***'))
}
