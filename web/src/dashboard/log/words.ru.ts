import { kept } from '../../words/kept.ts'
import { counted } from '../../words/plural.ts'
import type { words as en } from './words.en.ts'

const requests = (count: number) => counted('ru', count, { one: 'запрос', few: 'запроса', many: 'запросов' })
const number = (count: number) => count.toLocaleString('ru-RU')

const methodName = (method: string) => (method === 'unknown' ? 'неизвестный метод' : method)

export const words: typeof en = {
  title: 'Журнал API',
  lead: 'Каждый запрос к API: что отправлено, что возвращено и что с этим делать.',
  waiting: 'Ждём первый запрос…',
  waitingText: 'Он появится здесь сам, как только ваша программа его отправит.',
  waitingAct: 'Показать запрос для примера',

  quiet: 'Запросов не было.',
  allServed: (all) => `${requests(all)}, ни одного отказа.`,
  someRefused: (refused, all) =>
    `${counted('ru', refused, { one: 'отказ', few: 'отказа', many: 'отказов' })} на ${requests(all)}.`,
  byUs: (count) => (count === 0 ? 'По нашей вине ни одного.' : `По нашей вине: ${number(count)}.`),
  leads: {
    '1h': 'Последний час. Отказ — это ни звонка, ни списания.',
    '24h': 'Последние 24 часа. Отказ — это ни звонка, ни списания.',
    '7d': 'Последние 7 дней. Отказ — это ни звонка, ни списания.',
  },
  period: 'Период',
  periods: { '1h': 'Последний час', '24h': 'Последние 24 часа', '7d': 'Последние 7 дней' },

  load: 'Запросы по времени',
  chart: (all, refused) => `${requests(all)} по времени, отказов: ${number(refused)}`,
  column: (served, refused) => `приняты: ${number(served)}, отказы: ${number(refused)}`,
  served: 'приняты',
  refused: 'отказ',
  per: (minutes) =>
    minutes === 30 ? 'за полчаса' : minutes < 60 ? `за ${minutes} минут` : `за ${number(minutes / 60)} часа`,
  p50: 'медиана, у нас',
  p95: 'медленные 5 %',

  groups: 'Отказы по группам',
  groupsNote: 'По причине и методу, рядом — что исправить.',
  last: (at) => `последний ${at}`,
  openSetting: 'Открыть настройку',
  howToFix: 'Как исправить',
  show: (count) => `Показать ${number(count)}`,

  requests: 'Запросы',
  find: 'Вставьте X-Request-Id',
  notAnId: 'В X-Request-Id 36 знаков: цифры, буквы от a до f и дефисы.',
  anyMethod: 'Все методы',
  anyService: 'Все сервисы',
  service: 'Сервис',
  onlyCode: (code) => `Только код ${code}`,
  clear: 'Сбросить',
  results: { all: 'Все', ok: 'Приняты', refused: 'Отказ', ours: 'Наша вина' },
  nothing: 'Под эти условия не подходит ни один запрос.',
  time: 'Время',
  method: 'Метод',
  methodNames: methodName,
  result: 'Ответ',
  about: 'Верификация или причина отказа',
  from: 'Откуда',
  id: 'ID запроса',
  took: 'За',
  older: 'Раньше',
  kept: `Храним ${kept.ru.apiRequests}. Отказы — все, принятые при большом потоке — выборочно.`,

  servedIn: (time) => `Принят за ${time}.`,
  curl: 'Копировать как curl',
  copyId: 'Копировать ID запроса',
  request: 'Запрос',
  response: 'Ответ',
  responseWith: (status) => `Ответ, HTTP ${status}`,
  auth: 'Ключ передан',
  schemes: { header: 'в заголовке', query: 'в строке запроса', body: 'в теле' },
  agent: 'Программа',
  unreadable: 'Тело не читается и не сохранено.',
  otherFields: (count) =>
    `Ещё ${counted('ru', count, { one: 'поле', few: 'поля', many: 'полей' })}, которых в API нет, не показаны.`,
  masked: 'Номера закрыты звёздочками, ключ не хранится.',

  allRequests: 'Все запросы',
  requestNamed: (id) => `Запрос ${id}`,
  like: 'Такие же',
  missing: 'Такого запроса здесь нет',
  missingText: `У аккаунта нет запроса с этим ID, он старше ${kept.ruOf.apiRequests} или не попал в выборку.`,
}
