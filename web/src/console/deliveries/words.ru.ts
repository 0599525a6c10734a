import { kept } from '../../words/kept.ts'
import { counted } from '../../words/plural.ts'
import type { words as en } from './words.en.ts'

const webhooks = (count: number) => counted('ru', count, { one: 'вебхук', few: 'вебхука', many: 'вебхуков' })

export const words: typeof en = {
  allWell: 'Вебхуки доходят',
  trouble: (count) =>
    counted('ru', count, {
      one: 'хост не принимает вебхуки',
      few: 'хоста не принимают вебхуки',
      many: 'хостов не принимают вебхуки',
    }),
  lead: (count) => (count === 0 ? 'Ожидающих нет.' : `Ждут следующей попытки: ${webhooks(count)}.`),
  late: (seconds) => `Самый старый просрочен на ${seconds} с.`,
  none: 'За сутки вебхуков не было',
  noneText: 'Вебхук уходит после каждой успешной входящей проверки.',

  hosts: 'Хосты',
  hostsLead: (count) => `За сутки, не больше ${count} последних вебхуков каждой базы.`,
  customers: (ids) => `клиент ${ids}`,
  delivered: (delivered, all) => `доставлено ${delivered} из ${all}`,
  median: (ms) => `медиана ${ms}\u00a0мс`,
  waiting: (count) => `ждут: ${count}`,
  healthy: 'в порядке',
  failingSince: (time) => `не принимает с ${time}`,
  responds: (status) => `отвечает ${status}`,
  recover: (count) => `Повторить ${count}`,
  recovered: (count) => `Отправляем снова: ${webhooks(count)}.`,

  failed: 'Неудачные',
  failedLead: `Последние 50. Повторить можно, пока хранится номер: ${kept.ru.callerNumbers} после звонка.`,
  noneFailed: 'За сутки неудачных не было.',
  tries: (count) => counted('ru', count, { one: 'попытка', few: 'попытки', many: 'попыток' }),
  sendAgain: 'Повторить',
  sent: 'Вебхук отправляется снова.',
  erased: 'номер стёрт',
  reasons: { gone: 'сервер ответил 410', 'given-up': 'все попытки неудачны', erased: 'номер стёрт раньше доставки' },
  failures: {
    'address-refused': 'адрес не публичный: отказ до соединения',
    'address-busy': 'слишком много доставок на этот адрес',
    'too-slow': 'нет ответа 10 с',
    unreachable: 'недоступен',
  },
}
