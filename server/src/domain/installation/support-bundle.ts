// What leaves the installation in a support bundle. Free text is left out; what remains is searched for personal data once more, because a
// carrier, a mail server or an operator may have written it where nobody expects it.

import { apiKeyPattern } from '../accounts/api-key.ts'
import type { Finding } from './finding.ts'

const hidden = '***'

// Lists that name other people's servers, and settings that are an e-mail address.
const privateSettings: ReadonlySet<string> = new Set(['RINGPROOF_MAIL_FROM', 'RINGPROOF_WEBHOOK_ALLOW'])

export function settingsToShare(settings: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const shared = [...settings].map(([name, text]) => [name, privateSettings.has(name) && text !== '' ? hidden : text])
  return Object.fromEntries(shared)
}

// An operator's reason for a stop may name a customer.
export function findingsToShare(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) =>
    finding.check === 'trunks' && finding.subject === '' && finding.level === 'bad'
      ? { ...finding, cause: 'All trunks are stopped.' }
      : finding,
  )
}

// Every text in a JSON value, also the names of its fields.
export function withoutPersonalData(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(withoutPersonalData)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [cleanText(name), withoutPersonalData(one)]))
}

const email = /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi
const keys = new RegExp(apiKeyPattern.source, 'g')
// Ten digits and more, in any spelling.
const longNumber = /\+?\d(?:[\s()-]{0,3}\d){9,}/g
// Such as the RTP ports.
const portRange = /^\d{1,5}-\d{1,5}$/

function cleanText(text: string): string {
  return text
    .replaceAll(email, hidden)
    .replaceAll(keys, hidden)
    .replaceAll(longNumber, (found) => (portRange.test(found) ? found : hidden))
}
