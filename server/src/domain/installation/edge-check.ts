// Evaluates how people and clients reach the installation, and how it reaches people.

import { isOnList } from '../accounts/client-address.ts'
import { bad, type Finding, good, reasonOf, warning } from './finding.ts'

type EdgeSettings = {
  readonly httpHost: string
  readonly publicUrl: string
  readonly trustedProxies: readonly string[]
}

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare === '::1' || /^127\.[\d.]+$/.test(bare)
}

// Addresses of two documentation networks, which no real proxy has: a list that admits both admits everyone.
const anyone = ['192.0.2.1', '198.51.100.1']

export function evaluateProxy({ httpHost, publicUrl, trustedProxies }: EdgeSettings): Finding {
  const { protocol, hostname } = new URL(publicUrl)
  if (anyone.every((address) => isOnList(trustedProxies, address))) {
    const cause = 'Every address is a trusted proxy, so any client can claim any address and escape its limits.'
    return bad('proxy', '', cause, 'RINGPROOF_TRUSTED_PROXIES=127.0.0.1')
  }
  if (protocol === 'http:' && !isLoopback(hostname)) {
    const cause = `Keys and codes travel to ${hostname} in clear: RINGPROOF_PUBLIC_URL is http.`
    return bad('proxy', '', cause, `RINGPROOF_PUBLIC_URL=https://${hostname}, behind a TLS proxy (deploy/README.md)`)
  }
  if (protocol === 'https:' && trustedProxies.length === 0) {
    const cause = 'No TLS proxy is trusted, so all clients have its address and share one rate limit.'
    return bad('proxy', '', cause, 'RINGPROOF_TRUSTED_PROXIES=127.0.0.1')
  }
  if (protocol === 'https:' && !isLoopback(httpHost)) {
    const cause = `Plain HTTP listens on ${httpHost}, so clients can go around the TLS proxy.`
    return warning('proxy', '', cause, 'RINGPROOF_HTTP_HOST=127.0.0.1, or a firewall that admits only the proxy')
  }
  return protocol === 'https:'
    ? good('proxy', '', `Clients come through ${trustedProxies.join(', ')}.`)
    : good('proxy', '', 'Only this machine is served, without a proxy.')
}

export const unsentMail = (dir: string): Finding =>
  warning(
    'mail',
    '',
    `There is no mail server: confirmations and password resets stay in ${dir}.`,
    'RINGPROOF_MAIL_URL=smtps://USER:PASSWORD@HOST',
  )

export function reachableMail(host: string, from: string): Finding {
  if (!/@localhost\b/.test(from)) return good('mail', host, 'The mail server accepts our login.')
  const cause = 'The sender is at localhost: other mail servers reject such messages.'
  return warning('mail', host, cause, 'RINGPROOF_MAIL_FROM="Ringproof <verify@YOUR-DOMAIN>"')
}

export function unreachableMail(host: string, error: unknown): Finding {
  const reason = reasonOf(error)
  return bad(
    'mail',
    host,
    `The mail server cannot be used: ${reason}.`,
    'correct RINGPROOF_MAIL_URL, then: ringproof doctor',
  )
}

export function reachableBot(name: string): Finding {
  return good('telegram', `@${name}`, 'Telegram accepts the token of the bot.')
}

export function unreachableBot(error: unknown): Finding {
  const reason = reasonOf(error).replace(/^Network request.*$/, 'its server cannot be reached')
  const fix = /unauthorized|not found/i.test(reason)
    ? 'RINGPROOF_TELEGRAM_TOKEN=TOKEN, as @BotFather shows it'
    : 'correct RINGPROOF_TELEGRAM_API, or allow outgoing HTTPS'
  return bad('telegram', '', `The bot cannot be used: ${reason}.`, fix)
}
