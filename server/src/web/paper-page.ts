// The HTML of an invoice and of an act. Every text from outside goes through escapeHtml.

import type { Language } from '@ringproof/contract/lists/people.ts'
import { locales } from '@ringproof/contract/money-format.ts'
import type { ShownAct, ShownInvoice } from '../actions/money/papers-view.ts'
import { amountInWords } from '../domain/money/amount-in-words.ts'
import { formatMoney } from '../domain/money/format-money.ts'
import type { LegalDetails, Seller } from '../domain/money/legal-details.ts'
import type { MicroAmount } from '../domain/money/money.ts'
import { paperStyle } from './paper-style.ts'
import { paperWords } from './paper-words.ts'

type Words = (typeof paperWords)[Language]

export function invoicePage(invoice: ShownInvoice, language: Language): string {
  const words = paperWords[language]
  const { number, at, accountId, seller, buyer } = invoice
  const title = words.invoice(number, dayIn(language, at))
  return pageOf(language, title, [
    bankTable(words, seller, number),
    `<h1>${escapeHtml(title)}</h1>`,
    partiesOf(words, seller, buyer),
    sumTable(language, { ...invoice, what: words.advance(accountId), quantity: undefined }),
    totalOf(language, words.toPay, invoice),
    `<p>${escapeHtml(words.purpose(number))}</p>`,
    signsOf([{ who: words.seller, name: seller.signatory }]),
  ])
}

export function actPage(act: ShownAct, language: Language): string {
  const words = paperWords[language]
  const { number, day, month, entries, accountId, seller, buyer } = act
  const title = words.act(number, dayIn(language, new Date(day)))
  return pageOf(language, title, [
    `<h1>${escapeHtml(title)}</h1>`,
    partiesOf(words, seller, buyer),
    sumTable(language, { ...act, what: words.services(accountId, monthIn(language, month)), quantity: entries }),
    totalOf(language, words.rendered, act),
    `<p>${words.noClaims}</p>`,
    signsOf([
      { who: words.seller, name: seller.signatory },
      { who: words.buyer, name: '' },
    ]),
  ])
}

function pageOf(language: Language, title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${paperStyle}</style>
</head>
<body>
<main>
<p class="hint">${paperWords[language].hint}</p>
${parts.filter(Boolean).join('\n')}
</main>
</body>
</html>
`
}

// What a bank needs. Left out if the operator has given no account.
function bankTable(words: Words, seller: Seller, number: number): string {
  if (seller.bankAccount === '') return ''
  const rows = [
    [words.bank, seller.bank],
    [words.bankCode, seller.bankCode],
    [words.correspondentAccount, seller.correspondentAccount],
    [words.recipient, seller.name],
    [words.bankAccount, seller.bankAccount],
    [words.paymentPurpose, words.purposeText(number)],
  ].filter(([, value]) => value !== '')
  const cells = rows.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${escapeHtml(value ?? '')}</td></tr>`)
  return `<table><tbody>${cells.join('')}</tbody></table>`
}

function partiesOf(words: Words, seller: Seller, buyer: LegalDetails): string {
  return `<dl><dt>${words.seller}</dt><dd>${partyOf(words, seller)}</dd><dt>${words.buyer}</dt><dd>${partyOf(words, buyer)}</dd></dl>`
}

function partyOf(words: Words, { name, taxNumber, reasonCode, address }: LegalDetails): string {
  const codes = [`${words.taxNumber} ${taxNumber}`, ...(reasonCode === '' ? [] : [`${words.reasonCode} ${reasonCode}`])]
  return escapeHtml([name, ...codes, address].join(', '))
}

type Sum = { readonly amount: MicroAmount; readonly currency: string }
type Line = Sum & { readonly what: string; readonly quantity: number | undefined }

function sumTable(language: Language, { what, quantity, ...line }: Line): string {
  const words = paperWords[language]
  const sum = formatMoney(line.amount, line.currency, language)
  const hasQuantity = quantity !== undefined
  const count = hasQuantity ? `<td class="sum">${numbers[language].format(quantity)}</td>` : ''
  return `<table>
<thead><tr><th scope="col">${words.what}</th>${hasQuantity ? `<th scope="col" class="sum">${words.quantity}</th>` : ''}<th scope="col" class="sum">${words.amount}</th></tr></thead>
<tbody><tr><td>${escapeHtml(what)}</td>${count}<td class="sum">${sum}</td></tr></tbody>
<tfoot><tr><td${hasQuantity ? ' colspan="2"' : ''}>${words.total}</td><td class="sum">${sum}</td></tr></tfoot>
</table>`
}

function totalOf(language: Language, label: string, paper: Sum & { readonly seller: Seller }): string {
  const { amount, currency, seller } = paper
  const words = amountInWords(amount, currency, language)
  const inWords = words === undefined ? '' : ` (${words})`
  const vat = seller.vatNote === '' ? '' : ` ${escapeHtml(seller.vatNote)}`
  return `<p><b>${label} ${formatMoney(amount, currency, language)}</b>${inWords}.${vat}</p>`
}

function signsOf(signs: readonly { readonly who: string; readonly name: string }[]): string {
  const lines = signs.map(({ who, name }) => `<p>${who}${name === '' ? '' : `: ${escapeHtml(name)}`}</p>`)
  return `<div class="signs">${lines.join('')}</div>`
}

const perLanguage = <T>(make: (locale: string) => T): Readonly<Record<Language, T>> => ({
  en: make(locales.en),
  ru: make(locales.ru),
})
const numbers = perLanguage((locale) => new Intl.NumberFormat(locale))
// Days and months of statements are in UTC.
const days = perLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }))
const months = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

function dayIn(language: Language, date: Date): string {
  return days[language].format(date)
}

function monthIn(language: Language, month: string): string {
  return months[language].format(new Date(`${month}-15T00:00:00Z`))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
