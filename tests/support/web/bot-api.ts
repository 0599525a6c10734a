// Telegram's Bot API as far as our bot uses it, on this machine: people open the bot with a link, and read what it writes.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../at-end.ts'
import { poll } from '../poll.ts'

export type BotApi = {
  readonly url: string
  readonly token: string
  // Somebody opens https://t.me/…?start=<payload>; the same update can be delivered twice.
  readonly open: (telegramId: number, payload: string, times?: number) => void
  readonly messagesTo: (telegramId: number) => readonly string[]
  readonly nextMessageTo: (telegramId: number, after: number) => Promise<string>
  // Every request fails with this status until it is set back to 200.
  fail: number
}

export async function startBotApi(): Promise<BotApi> {
  const token = '1234567890:AAcanaryTokenOfTheBot_abcdefghijklm'
  const updates: { update_id: number; message: unknown }[] = []
  const sent: { chat: number; text: string }[] = []
  let lastId = 0
  const api: BotApi = {
    url: '',
    token,
    fail: 200,
    open: (telegramId, payload, times = 1) => {
      lastId += 1
      const from = { id: telegramId, is_bot: false, first_name: 'Person', username: 'my_shop' }
      const text = `/start ${payload}`
      const message = {
        message_id: lastId,
        date: 0,
        chat: { id: telegramId, type: 'private' },
        from,
        text,
        entities: [{ type: 'bot_command', offset: 0, length: 6 }],
      }
      for (let n = 0; n < times; n++) updates.push({ update_id: lastId, message })
    },
    messagesTo: (telegramId) => sent.filter(({ chat }) => chat === telegramId).map(({ text }) => text),
    nextMessageTo: (telegramId, after) => poll('a Telegram message', () => api.messagesTo(telegramId)[after]),
  }
  const answers: Record<string, (body: Record<string, unknown>) => unknown> = {
    getMe: () => ({ id: 1, is_bot: true, first_name: 'Ring', username: 'ring_test_bot' }),
    deleteWebhook: () => true,
    getUpdates: ({ offset = 0 }) => updates.filter(({ update_id: id }) => id >= Number(offset)),
    sendMessage: ({ chat_id: chat, text }) => {
      sent.push({ chat: Number(chat), text: String(text) })
      return { message_id: sent.length, date: 0, chat: { id: chat, type: 'private' } }
    },
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.url?.split('/').at(-1) ?? ''
    const body = await jsonOf(request)
    const answer = answers[method]
    const isOk = api.fail === 200 && answer !== undefined && request.url?.includes(token) === true
    response.writeHead(isOk ? 200 : api.fail === 200 ? 404 : api.fail, { 'content-type': 'application/json' })
    const failure = { ok: false, error_code: api.fail, description: `no ${request.url}` }
    const send = () => response.end(JSON.stringify(isOk ? { ok: true, result: answer(body) } : failure))
    // As the real one, it waits for something to report.
    if (isOk && method === 'getUpdates') {
      await poll('an update', () => (answer(body) as unknown[]).length > 0, Boolean, { timeoutMs: 400 }).catch(
        () => false,
      )
    }
    send()
  }
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(api, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

async function jsonOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}
