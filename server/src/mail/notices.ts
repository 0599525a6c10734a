// The texts of notices, in both languages: what happened, and what to do. One text serves e-mail and Telegram.

import { formatMoney } from '../domain/money/format-money.ts'
import type { MicroAmount } from '../domain/money/money.ts'
import type { NoticeKind } from '../domain/notices/notice.ts'
import type { Recipient } from '../domain/people/letters.ts'
import { inEnglish, inRussian } from '../domain/values/period.ts'
import { retention } from '../domain/values/retention.ts'
import { render } from './layout.ts'
import type { Sender } from './letters.ts'
import type { Mail } from './mailer.ts'

type Language = Recipient['language']
type Details = Readonly<Record<string, string | number>>
// A test says that the channel works.
export type NoticeLinks = { readonly page: string; readonly settings: string }
export type WrittenNotice = {
  readonly kind: NoticeKind | 'test'
  readonly details: Details
  readonly currency: string
}
type Text = { readonly subject: string; readonly sentences: readonly string[]; readonly button: string }

export function noticeMail(sender: Sender, to: Recipient, links: NoticeLinks, notice: WrittenNotice): Mail {
  const { subject, sentences, button } = textOf(to.language, notice)
  return render(to.email, {
    language: to.language,
    installation: sender.name,
    supportAddress: sender.supportAddress,
    subject,
    paragraphs: sentences,
    button: { text: button, link: links.page },
    notes: [settingsNote[to.language](links.settings)],
  })
}

export function noticeText(language: Language, links: NoticeLinks, notice: WrittenNotice): string {
  const { subject, sentences } = textOf(language, notice)
  return [subject, ...sentences, links.page].join('\n\n')
}

const settingsNote = {
  en: (link: string) => `Which notices you get is set here: ${link}`,
  ru: (link: string) => `Какие уведомления получать, задаётся здесь: ${link}`,
}

function textOf(language: Language, { kind, details, currency }: WrittenNotice): Text {
  const money = (micro: Details[string] | undefined) =>
    formatMoney(Number(micro ?? 0) as MicroAmount, currency, language)
  return (language === 'ru' ? russian : english)[kind](details, money)
}

type Money = (micro: Details[string] | undefined) => string
type Texts = Readonly<Record<WrittenNotice['kind'], (details: Details, money: Money) => Text>>

const english: Texts = {
  'low-balance': ({ account, balance, days }, money) => ({
    subject: `${account}: the balance is low`,
    sentences: [
      `${money(balance)} is left. At the rate of the last week that is enough for ${Number(days) < 1 ? 'less than a day' : `${days} d`}.`,
      'When it is used up, calls are refused with code 1002.',
    ],
    button: 'Open the balance',
  }),
  'failure-spike': ({ account, service, calls, failed }) => ({
    subject: `${service}: many calls fail`,
    sentences: [
      `${failed} of the last ${calls} calls of the service “${service}” (${account}) failed, many more than usual.`,
      'The statistics show which operator or trunk they have in common.',
    ],
    button: 'Open the statistics',
  }),
  'webhook-failing': ({ account, service }) => ({
    subject: `${service}: webhooks do not arrive`,
    sentences: [
      `Webhooks of the service “${service}” (${account}) fail: your receiver does not respond, or responds with an error.`,
      `A webhook can be sent again for ${inEnglish(retention.callerNumbers.kept)} after its call; then the number is erased.`,
    ],
    button: 'Open webhooks',
  }),
  'key-unused': ({ account, service, key, days }) => ({
    subject: `${service}: an API key is not used`,
    sentences: [
      `Nobody has used the key “${key}” of the service “${service}” (${account}) for ${days} days.`,
      'If it is no longer needed, revoke it: a key that nobody misses is one that nobody watches.',
    ],
    button: 'Open services',
  }),
  'new-sign-in': ({ address, browser, at }) => ({
    subject: 'A new sign-in to your account',
    sentences: [
      `Somebody signed in as you from ${address}, ${at} UTC. ${browser === '' ? 'The browser is not known.' : `Browser: ${browser}.`}`,
      'If it was not you, end that session and change the password.',
    ],
    button: 'Open sessions',
  }),
  test: () => ({
    subject: 'This is a test',
    sentences: ['Notices come here. There is nothing to do.'],
    button: 'Open notices',
  }),
}

const russian: Texts = {
  'low-balance': ({ account, balance, days }, money) => ({
    subject: `${account}: баланс заканчивается`,
    sentences: [
      `Осталось ${money(balance)}. При расходе последней недели этого хватит ${Number(days) < 1 ? 'меньше чем на день' : `на ${days} дн.`}`,
      'Когда деньги кончатся, звонки будут получать отказ с кодом 1002.',
    ],
    button: 'Открыть баланс',
  }),
  'failure-spike': ({ account, service, calls, failed }) => ({
    subject: `${service}: много неудачных звонков`,
    sentences: [
      `Из последних звонков сервиса «${service}» (${account}) не удались ${failed} из ${calls}, намного больше обычного.`,
      'Что у них общего — оператор или транк, — видно в статистике.',
    ],
    button: 'Открыть статистику',
  }),
  'webhook-failing': ({ account, service }) => ({
    subject: `${service}: вебхуки не доходят`,
    sentences: [
      `Вебхуки сервиса «${service}» (${account}) не доходят: ваш сервер не отвечает или отвечает ошибкой.`,
      `Вебхук можно отправить ещё раз в течение ${inRussian(retention.callerNumbers.kept, 'genitive')} после звонка, потом номер стирается.`,
    ],
    button: 'Открыть вебхуки',
  }),
  'key-unused': ({ account, service, key, days }) => ({
    subject: `${service}: ключ API не используется`,
    sentences: [
      `Ключом «${key}» сервиса «${service}» (${account}) не пользовались ${days} дн.`,
      'Если он больше не нужен, отзовите его: за ключом, о котором забыли, никто не следит.',
    ],
    button: 'Открыть сервисы',
  }),
  'new-sign-in': ({ address, browser, at }) => ({
    subject: 'Новый вход в ваш аккаунт',
    sentences: [
      `Под вашим именем вошли с адреса ${address}, ${at} UTC. ${browser === '' ? 'Браузер неизвестен.' : `Браузер: ${browser}.`}`,
      'Если это не вы, завершите этот сеанс и смените пароль.',
    ],
    button: 'Открыть сеансы',
  }),
  test: () => ({
    subject: 'Это проверка',
    sentences: ['Уведомления будут приходить сюда. Делать ничего не нужно.'],
    button: 'Открыть уведомления',
  }),
}
