import { counted } from '../../words/plural.ts'
import type { words as en } from './words.en.ts'

const numbers = (count: number) => counted('ru', count, { one: 'номер', few: 'номера', many: 'номеров' })
const codes = (count: number) => counted('ru', count, { one: 'код', few: 'кода', many: 'кодов' })
const calls = (count: number) => counted('ru', count, { one: 'вызов', few: 'вызова', many: 'вызовов' })

export const words: typeof en = {
  all: 'Можно показать любой код',
  some: (covered, all) => `Можно показать ${covered} из ${all} кодов`,
  cannot: (count) => `${count} — нельзя`,
  lead: (count, country) =>
    `${numbers(count)}, страна — ${country}. Код вызова — последние четыре цифры номера, с которого звоним.`,
  anyCountry: 'любая',
  none: 'Номеров для исходящих пока нет',
  noneText:
    'Чтобы показать код, нужен номер, который на него оканчивается. Загрузите диапазон, который выделил провайдер.',
  noTrunk: 'Сначала добавьте транк: номера принадлежат провайдеру, через которого идут вызовы.',
  country: 'Страна',

  grid: 'Покрытие кодов',
  gridNote: 'Клетка — код, слева вверху 0000. Чем ярче зелёный, тем больше рабочих номеров на него оканчивается.',
  gridLabel: 'Код, выбирается стрелками',
  look: 'Найти код',
  ends: (code, count) => `${code}: ${numbers(count)}`,
  manyEnd: (code) => `${code}: девять номеров или больше`,
  noneEnds: (code) => `${code}: номера нет`,
  notACode: '0000 кодом не бывает',
  shades: ['нет', '1', '2', '3', '4 и больше'],

  holes: 'Без номера',
  holesNote: 'Запрос с таким кодом получит ошибку 21, деньги не спишутся. Сами мы такие коды не выбираем.',
  why: {
    none: (code) => `${code}: ни один ваш номер на него не оканчивается.`,
    quarantined: (code) => `${code}: номера с этим окончанием в карантине.`,
    'trunk-off': (code, trunk) => `${code}: такой номер есть только у ${trunk}, а ${trunk} выключен.`,
    'trunk-elsewhere': (code, trunk) => `${code}: такой номер есть только у ${trunk}, а он эту страну не обслуживает.`,
  },
  more: (count) => `и ещё ${codes(count)}`,

  import: 'Загрузить номера',
  importTitle: 'Загрузить номера для исходящих',
  importLead: 'Номера, которые провайдер разрешил показывать.',
  trunk: 'Транк',
  off: 'выключен',
  countryCode: 'В какой стране их показывать',
  countryHint: 'Две буквы, например RU.',
  list: 'Номера',
  listHint: 'В строке один номер или ПЕРВЫЙ-ПОСЛЕДНИЙ, с кодом страны. Подойдёт и CSV.',
  file: 'Из файла',
  preview: 'Проверить список',
  added: (count) => `Добавится ${numbers(count)}.`,
  nothingNew: 'Нового в списке нет.',
  duplicates: (count) => `Уже есть: ${numbers(count)}, пропустим.`,
  taken: (count) => `Заняты иначе: ${numbers(count)} — другой транк, другая страна или номер для входящих. Пропустим.`,
  repeated: (count) => `Повторяются в списке: ${numbers(count)}.`,
  invalid: (count, lines) =>
    `Не похоже на номер: ${counted('ru', count, { one: 'строка', few: 'строки', many: 'строк' })} — ${lines}.`,
  gained: (count) => `Можно будет показать ещё ${codes(count)}:`,
  gainedNone: 'Новых кодов не появится.',
  missingAfter: (count) => `Без номера останется ${codes(count)}.`,
  completeAfter: 'Номер будет у каждого кода.',
  importAct: (count) => `Загрузить ${numbers(count)}`,
  imported: (count, trunk) => `У ${trunk} прибавилось: ${numbers(count)}.`,

  ranges: 'Диапазоны',
  rangesLead: 'Каждый принадлежит транку, через который с него звоним.',
  rangeNote: (trunk, country, count) => `${trunk}, ${country}, всего ${count}`,
  live: 'в работе',
  out: (count) => `выведено: ${count.toLocaleString('ru-RU')}`,
  trunkOff: 'транк выключен',
  rangesMore: (count) =>
    `Ещё ${counted('ru', count, { one: 'диапазон', few: 'диапазона', many: 'диапазонов' })}: ringproof numbers list`,
  takeOut: 'Вывести из работы',
  takeOutOf: (range) => `Вывести из работы: ${range}`,
  remove: 'Удалить',
  removeOf: (range) => `Удалить: ${range}`,

  quarantine: 'Выведены из работы',
  quarantineLead: 'Новые вызовы с этих номеров не идут. Номера остаются вашими.',
  noQuarantine: 'Все номера в работе.',
  quarantined: 'карантин',
  cooling: 'отдых',
  since: (time) => `с ${time}`,
  untilReturned: 'пока не вернёте',
  until: (time) => `вернётся ${time}`,
  giveBack: 'Вернуть',
  giveBackOf: (range) => `Вернуть: ${range}`,
  returned: (range) => `${range}: снова в работе.`,

  outTitle: 'Вывести номера из работы',
  outLead:
    'Для номеров, которые телефоны помечают как спам или которые подменяет провайдер. Идущие вызовы не прервутся.',
  first: 'Первый номер',
  last: 'Последний номер',
  reason: 'Причина',
  reasonHint: 'Останется в журнале.',
  howLong: 'На сколько',
  forDays: (days) => counted('ru', days, { one: 'день', few: 'дня', many: 'дней' }),
  untilBack: 'Пока не верну',
  outAct: (count) => `Вывести ${numbers(count)}`,
  wasTakenOut: (count) => `Выведено из работы: ${numbers(count)}.`,
  removeTitle: 'Удалить номера',
  removeLead: (trunk) => `У ${trunk} их больше не будет. Идущие вызовы не прервутся.`,
  removeAct: (count) => `Удалить ${numbers(count)}`,
  removed: (count) => `Удалено: ${numbers(count)}.`,
  badRange: 'Два номера одной длины, первый не больше последнего.',
  loses: (count, country) => `${country}: без номера останется ${codes(count)}:`,
  losesNone: 'У каждого кода номер останется.',
  noSuch: 'В этом диапазоне у транка нет номеров.',

  use: 'Равномерность',
  useNone: 'Вызовов ещё не было. Код каждого вызова случаен, поэтому номера заняты поровну.',
  useEven: (count) =>
    `Равномерно. Последние ${count} вызовов разошлись по номерам настолько ровно, насколько это возможно случайно.`,
  useUneven: (count) =>
    `Неравномерно. Из последних ${count} вызовов слишком много шло с одних и тех же номеров: клиенты просят определённые коды или номеров мало.`,
  useFacts: (used, all) => `Занято номеров: ${used} из ${all}.`,
  useMost: (most) => `На самый частый пришлось ${calls(most)}.`,
  useLabel: 'На сколько номеров сколько вызовов пришлось',
  useBin: (count, times) => `${numbers(count)}: по ${calls(times)}`,
  useAxis: 'вызовов на номер',
}
