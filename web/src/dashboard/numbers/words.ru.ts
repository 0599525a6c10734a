import { counted } from '../../words/plural.ts'
import type { words as en } from './words.en.ts'

const numbers = { one: 'номер', few: 'номера', many: 'номеров' }
// After «из».
const ofNumbers = { one: 'номера', few: 'номеров', many: 'номеров' }

export const words: typeof en = {
  title: 'Проверка номера',
  lead: 'Кто обслуживает номер и где. Здесь то же, что отвечает checkPhone.',
  list: 'Номера, как их пишут люди',
  count: (count) => counted('ru', count, { one: 'запись', few: 'записи', many: 'записей' }),
  hint: 'По одному в строке или через запятую. Они остаются на этой странице: в результате и в файле только маски.',
  exampleHint: 'Это пример с тестовыми номерами, они бесплатны. Замените его своим списком, до 1000 номеров.',
  tooMany: (most, count) => `За один раз не больше ${most}. В списке ${count}.`,
  service: 'Сервис, который платит',
  noService: 'За проверку платит сервис, а включённых сервисов у вас нет.',
  toServices: 'Открыть сервисы',
  price: 'Сначала посчитать',
  before: 'До проверки',
  figures: {
    valid: 'Верных номеров',
    duplicates: 'Повторов',
    invalid: 'Не номера',
    cost: 'Стоит',
    balance: 'На балансе',
  },
  notes: { free: 'пропустим, бесплатно', cost: 'по вашему тарифу' },
  unsold: (count) => `Не проверим ${counted('ru', count, numbers)} из стран, для которых в тарифе нет цены.`,
  tooLittle: 'Баланса не хватит на весь список. Проверка остановится, когда деньги кончатся.',
  toBalance: 'Открыть баланс',
  obstacles: {
    accountBlocked: 'Аккаунт заблокирован. Спросите того, кто держит эту установку.',
    serviceArchived: 'Сервис в архиве.',
    serviceOff: 'Сервис выключен.',
    phoneNotVerified: 'Сначала владелец должен подтвердить телефон.',
  },
  run: (count, cost) => `Проверить ${counted('ru', count, numbers)}${cost === undefined ? '' : ` за ${cost}`}`,
  goOn: (count) => `Продолжить: ${counted('ru', count, numbers)}`,
  stop: 'Остановить',
  progress: (done, all) => `${done} из ${all}`,
  done: (done, all) =>
    done === all
      ? `Проверено: ${counted('ru', done, numbers)}`
      : `Проверено: ${done} из ${counted('ru', all, ofNumbers)}`,
  charged: (amount) => `Списано ${amount}.`,
  // A year ends with «г.».
  registry: (day) => `Реестр от ${day}`,
  noRegistry: 'Реестр не загружен: страна и вид номера взяты из планов нумерации.',
  csv: 'CSV',
  ranOut: (done, all) =>
    `Деньги кончились: проверено ${done} из ${all}. Пополните баланс и продолжите; дважды ничего не спишется.`,
  split: 'По операторам',
  unknown: 'Неизвестен',
  others: 'Остальные',
  result: 'Проверенные номера',
  more: (count) => `Ещё ${counted('ru', count, { one: 'строка', few: 'строки', many: 'строк' })} — в файле CSV.`,
  heads: {
    line: '№',
    number: 'Номер',
    provider: 'Оператор',
    organisation: 'Организация',
    country: 'Страна',
    region: 'Регион',
    city: 'Город',
    networkCode: 'Код сети',
  },
  states: { invalid: 'Не номер', unpaid: 'Не оплачен', unsold: 'Нет цены' },
}
