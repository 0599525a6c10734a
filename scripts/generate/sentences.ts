// Periods and roles in sentences of hand-written files. A name in braces stands for what `npm run generate` writes there; the rest of
// the sentence must be in the file, once.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { webhookRetrySeconds } from '../../contract/src/limits.ts'
import { membersWith, operatorsWith } from '../../contract/src/web/access.ts'
import { inEnglish, inRussian, msOf, ofMs } from '../../server/src/domain/values/period.ts'
import { keptDaysMin, type RetentionName, retention } from '../../server/src/domain/values/retention.ts'
import { allOf } from '../../web/src/words/roles.ts'
import { translationLine } from './translation.ts'

const settings = 'server/config.default.env'
const personalData = 'docs/operations/privacy.md'
const russianGuides = 'docs/guides/ru/'
const ofNotices = 'В личном кабинете, в разделе «Уведомления», {buildersRu} могут задать ещё один адрес.'

const sentences: readonly (readonly [path: string, sentence: string])[] = [
  [settings, 'RINGPROOF_VERIFICATION_DAYS={verificationDays}'],
  [settings, 'idempotency keys and codes. {daysMin} to 3650.'],
  [settings, 'RINGPROOF_LEDGER_DAYS={ledgerDays}'],
  [settings, 'The daily sums are kept forever. {daysMin} to 3650.'],
  [settings, 'the API log of the dashboard, which keeps them for {apiRequests}. on or off.'],
  [settings, 'Whose SIP messages are stored for {sipMessages}, without numbers'],
  ['SECURITY.md', 'destroy the old key after {sealed}; messages copied from the bus'],
  ['SECURITY.md', 'until nothing is compared with them ({subscriberKeys}, or as long as'],
  ['deploy/README.md', 'needed: for {sealed} with `seal-numbers` and `seal-records`'],
  ['deploy/README.md', 'until no value needs the old key), for {subscriberKeys} with'],
  ['docs/adr/0011-write-the-vault-before-the-database.md', 'it may be retried for {callerNumbers}. The database'],
  ['docs/adr/0022-reject-a-clock-that-jumped-ahead.md', 'Limits of a number are kept for {numbers} instead of 34,'],
  ['docs/adr/0026-repeat-from-a-sealed-number-in-nats.md', '{repeatNumbers}, the time in which a repeat is allowed.'],
  ['docs/guides/migrate.md', 'two free repeats within {repeatNumbers}. Without it'],
  ['docs/guides/ru/migrate.md', 'два бесплатных повтора за {repeatNumbersRu}. Без неё'],
  ['docs/guides/webhooks.md', 'retries after {webhookRetries} seconds |'],
  ['docs/guides/ru/webhooks.md', 'повторяет через {webhookRetriesRu} секунд |'],
  ['docs/guides/webhooks.md', '(`ringproof webhooks resend`) until {callerNumbers} after the call.'],
  ['docs/guides/webhooks.md', 'In the dashboard, under Notices, {builders} can set one more receiver.'],
  ['docs/guides/ru/webhooks.md', 'пока после звонка не прошло {callerNumbersRu}. Потом'],
  ['docs/guides/ru/webhooks.md', ofNotices],
  ['docs/operations/payments.md', 'offers "Request an invoice" to {payers}:'],
  ['docs/operations/payments.md', '{Managers} can download the account as a file'],
  [personalData, '| until {inboundRequests} after the request is over |'],
  [personalData, 'without numbers, names and codes | {sipMessages} |'],
  [personalData, 'for the limits | {numbers} after the last call |'],
  [personalData, 'until its webhook is delivered | {callerNumbers} at most |'],
  [personalData, 'only for services that have repeats on | {repeatNumbers} |'],
  [personalData, 'a call that is being placed, sealed | {callOrders} at most |'],
  [personalData, 'and URLs only their length | {apiRequests} |'],
  [personalData, '(`ringproof fraud hits`), kept for {fraudHits}, and of ranges'],
  ['docs/operations/status.md', '{Admins} announce an outage or maintenance in the console'],
  ['docs/operations/support-bundle.md', 'In the console: System, "Support bundle", for {helpers}. Both ways'],
  ['docs/operations/what-a-code-proves.md', '(`initRepeat`, two within {repeatNumbers}) calls with the same code'],
]

const names = Object.keys(retention) as RetentionName[]
const values: Readonly<Record<string, string>> = {
  ...Object.fromEntries(names.map((name) => [name, inEnglish(retention[name].kept)])),
  ...Object.fromEntries(names.map((name) => [`${name}Ru`, inRussian(retention[name].kept)])),
  verificationDays: String(retention.verifications.kept.count),
  ledgerDays: String(retention.ledger.kept.count),
  daysMin: String(keptDaysMin),
  // As `ringproof secrets destroy` waits.
  sealed: inEnglish(ofMs(2 * msOf(retention.callerNumbers.kept))),
  webhookRetries: listIn('en', webhookRetrySeconds),
  webhookRetriesRu: listIn('ru', webhookRetrySeconds),
  builders: allOf('en', membersWith('build')),
  buildersRu: allOf('ru', membersWith('build')),
  payers: allOf('en', membersWith('pay')),
  managers: allOf('en', membersWith('manage')),
  helpers: allOf('en', operatorsWith('help')),
  admins: allOf('en', operatorsWith('administer')),
}

export const pagesWithSentences: readonly string[] = [...new Set(sentences.map(([path]) => path))]

export function withSentences(repository: string, path: string): string {
  const read = (of: string) => readFileSync(join(repository, of), 'utf8')
  const filled = sentences
    .filter((one) => one[0] === path)
    .reduce((text, [, sentence]) => fill(text, sentence, path), read(path))
  if (!path.startsWith(russianGuides)) return filled
  // A translation that was up to date still is: its periods change together with those of the English page.
  const english = path.replace(russianGuides, 'docs/guides/')
  return filled.replace(translationLine(english, read(english)), () =>
    translationLine(english, withSentences(repository, english)),
  )
}

function listIn(locale: string, numbers: readonly number[]): string {
  return new Intl.ListFormat(locale === 'en' ? 'en-GB' : locale).format(numbers.map(String))
}

function fill(text: string, sentence: string, path: string): string {
  const parts = sentence.split(/\{(\w+)\}/)
  const pattern = parts.map((part, at) => (at % 2 === 0 ? literal(part) : '[^|.;()=\\n]+?')).join('')
  // A name at one of its ends is at that end of a line.
  const whole = `${parts[0] === '' ? '^' : ''}${pattern}${parts.at(-1) === '' ? '$' : ''}`
  const found = [...text.matchAll(new RegExp(whole, 'gm'))]
  if (found.length !== 1) throw new Error(`${path} has ${found.length} times: ${sentence}`)
  return text.replace(found[0]?.[0] ?? '', () =>
    parts.map((part, at) => (at % 2 === 0 ? part : valueOf(part))).join(''),
  )
}

function literal(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}

// A name with a capital letter begins the sentence.
function valueOf(name: string): string {
  const value = values[name.charAt(0).toLowerCase() + name.slice(1)]
  if (value === undefined) throw new Error(`nothing is called ${name}`)
  return /^[A-Z]/.test(name) ? value.charAt(0).toUpperCase() + value.slice(1) : value
}
