// Notices. Every five minutes one keeper reads the conditions of all databases and announces those that are new; then every keeper sends
// the messages that are due. A condition is announced once: it stays announced while it holds and for a while after. A message is
// claimed with a lease, so keepers do not collide; if one dies after sending, the person may get the message twice.

import { inJob, inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import {
  claimMessages,
  deleteMessage,
  insertMessages,
  leadNotices,
  type NoticeMessage,
  noteConditions,
  postponeMessage,
  readConditions,
} from '../../db/notices/notice.ts'
import { noticeAttemptsMax, noticeRetrySeconds } from '../../domain/notices/notice.ts'
import { secondsOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'

export type NoticeDeps = {
  readonly slots: SlotMap
  readonly timeScale: number
  // False if the message cannot be sent at all, such as over Telegram without a bot.
  readonly send: (message: NoticeMessage) => Promise<boolean>
  readonly clock: Clock
  readonly log: Logger
}

const roundMs = 300_000
// Messages of a sign-in do not wait for a round.
const sendMs = 5_000
const claimMax = 20
// In real time, longer than a mail server may take.
const leaseSeconds = 120

export function startNotices(deps: NoticeDeps): { readonly close: () => Promise<void> } {
  const closing = new AbortController()
  const loop = async (everyMs: number, work: () => Promise<void>) => {
    while (!closing.signal.aborted) {
      await work().catch((error: unknown) => deps.log.warn({ err: error }, 'notices failed'))
      await deps.clock.pause(everyMs, closing.signal)
    }
  }
  const loops = [loop(roundMs, () => announce(deps)), loop(sendMs, () => sendDue(deps, closing.signal))]
  return {
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}

// In one transaction: a condition is noted and its messages are written, or neither.
async function announce({ slots, timeScale }: NoticeDeps): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    if (!(await leadNotices(session))) return
    const conditions = await Promise.all(slots.databases.map((database) => inJob(database, readConditions)))
    const started = await noteConditions(
      session,
      conditions.flat(),
      secondsOf(retention.noticeConditions.kept) * timeScale,
    )
    if (started.length > 0) await insertMessages(session, started)
  })
}

async function sendDue(deps: NoticeDeps, closing: AbortSignal): Promise<void> {
  const { globalDatabase } = deps.slots
  while (!closing.aborted) {
    const messages = await claimMessages(globalDatabase, claimMax, leaseSeconds)
    await Promise.all(messages.map((message) => sendOne(deps, message)))
    if (messages.length < claimMax) return
  }
}

async function sendOne({ slots, timeScale, send, log }: NoticeDeps, message: NoticeMessage): Promise<void> {
  const { id, accountId, kind, channel, attempts } = message
  try {
    if (await send(message)) log.info({ account_id: accountId, kind, channel }, 'notice sent')
    await deleteMessage(slots.globalDatabase, id)
  } catch (error) {
    const left = noticeAttemptsMax - attempts
    log.warn({ err: error, account_id: accountId, kind, channel, tries_left: left }, 'notice not sent')
    if (attempts >= noticeAttemptsMax) await deleteMessage(slots.globalDatabase, id)
    else await postponeMessage(slots.globalDatabase, id, noticeRetrySeconds(attempts) * timeScale)
  }
}
