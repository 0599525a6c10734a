// Sends messages over SMTP, or writes them to a folder if there is no mail server. Sending happens in the background: a request
// takes the same time whether a message goes out or not, and shows nobody which e-mail has an account. A message that cannot be
// sent is tried three times; then the person asks for another one.

import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Clock } from '../process/clock.ts'
import type { Logger } from '../process/log/log.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string }

export type Mailer = {
  readonly send: (mail: Mail) => void
  // Tries once, and rejects if it failed.
  readonly sendNow: (mail: Mail) => Promise<void>
  // Waits for messages on their way.
  readonly close: () => Promise<void>
}

export type MailSettings = {
  // An smtp:// or smtps:// URL with credentials; undefined: the folder.
  readonly url: string | undefined
  readonly from: string
  readonly dir: string
}

const tries = 3
const retryMs = 2_000
const timeoutMs = 10_000
const probeTimeoutMs = 4_000

export function createMailer(settings: MailSettings, clock: Clock, log: Logger): Mailer {
  const deliver = settings.url === undefined ? writeTo(settings, clock) : sendOver(settings.url, settings.from)
  const closing = new AbortController()
  const onTheirWay = new Set<Promise<void>>()
  const sendWithRetries = async (mail: Mail) => {
    for (let left = tries; left > 0; left--) {
      try {
        await deliver(mail)
        return
      } catch (error) {
        log.warn({ err: withoutAddress(error, mail), tries_left: left - 1 }, 'mail not sent')
        if (left > 1) await clock.sleep(retryMs, closing.signal)
      }
    }
  }
  return {
    send: (mail) => {
      const sending = sendWithRetries(mail).finally(() => onTheirWay.delete(sending))
      onTheirWay.add(sending)
    },
    sendNow: async (mail) => {
      await deliver(mail).catch((error: unknown) => {
        throw withoutAddress(error, mail)
      })
    },
    close: async () => {
      closing.abort()
      await Promise.all(onTheirWay)
    },
  }
}

// Whether the server accepts our login; rejects with its reason.
export async function probeMail(url: string): Promise<void> {
  const transport = transportTo(url, probeTimeoutMs)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

function sendOver(url: string, from: string): (mail: Mail) => Promise<void> {
  const transport = transportTo(url, timeoutMs)
  return async (mail) => {
    // As an object it is one address; a text would be read as a list of them.
    const to = { name: '', address: mail.to }
    await transport.sendMail({ ...mail, to, from, headers: { 'Auto-Submitted': 'auto-generated' } })
  }
}

function transportTo(url: string, limitMs: number) {
  // Without TLS a message, and the link in it, could be read on the way; only a server on this machine may do without.
  const { hostname } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return createTransport({
    url,
    requireTLS: !isLocal,
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

// Readable by the owner only: a message contains a link that signs in.
function writeTo({ dir, from }: MailSettings, clock: Clock): (mail: Mail) => Promise<void> {
  let count = 0
  return async (mail) => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const at = new Date(clock.timeOfDayMs()).toISOString().replaceAll(/[:.]/g, '-')
    const name = `${at}-${count++}`
    await writeFile(join(dir, `${name}.html`), mail.html, { mode: 0o600 })
    // Renamed into place last: a reader that waits for it finds both files, and never half of one.
    await writeFile(join(dir, `${name}.new`), JSON.stringify({ from, ...mail }, null, 2), { mode: 0o600 })
    await rename(join(dir, `${name}.new`), join(dir, `${name}.json`))
  }
}

// A mail server repeats the address in its errors.
function withoutAddress(error: unknown, { to }: Mail): Error {
  const message = error instanceof Error ? error.message : String(error)
  return new Error(message.replaceAll(to, '***'))
}
