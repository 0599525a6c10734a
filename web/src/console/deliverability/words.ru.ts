import { counted } from '../../words/plural.ts'
import type { words as en } from './words.en.ts'

export const words: typeof en = {
  asUsual: 'У всех операторов связи звонки доходят как обычно',
  asUsualLead: 'Нигде доля дошедших звонков не стала заметно ниже, чем в эти же часы последних четырёх недель.',
  tooFew: 'Слишком мало звонков для сравнения',
  comparedLead: (compared, of) => `Ячеек, где есть 50 звонков и обычная доля для сравнения: ${compared} из ${of}.`,
  fallen: (provider, trunk) => `${provider}: через ${trunk} доходит меньше звонков`,
  andMore: (more) => ` и ещё ${counted('ru', more, { one: 'направление', few: 'направления', many: 'направлений' })}`,
  fallenLead: (now, usual, calls) =>
    `Дошло ${now} из ${calls}, обычно ${usual}. Сравните с тем же оператором связи через другой транк: если там звонки доходят, дело в транке.`,
  fallenOneLead: (now, usual, calls) =>
    `Дошло ${now} из ${calls}, обычно ${usual}. Транк один, перевести звонки некуда. Клиенты могут звонить этому оператору связи способом «микс» или голосом.`,
  unknown: 'неизвестен',
  empty: 'За этот период звонков нет',
  emptyText: 'Таблица появится с первыми звонками. Тестовые звонки не считаются.',
  period: 'Период',
  periods: { 3: 'За 3 часа', 24: 'За сутки' },
  matrix: 'Оператор связи × транк × способ',
  matrixLead:
    'Доля дошедших звонков и сколько их было. Ячейка красная, если весь 95-процентный интервал на пять пунктов ниже обычного для этих часов; серые числа — меньше 50 звонков.',
  provider: 'Оператор связи',
  usual: (share) => `обычно ${share}`,
  interval: (low, high) => `95-процентный интервал от ${low} до ${high}`,
  cell: (provider, trunk, mode) => `${provider} через ${trunk}, ${mode}: показать звонки`,
  legendUsual: 'как обычно',
  legendWorse: 'хуже обычного',
  legendFew: 'меньше 50 звонков',
  changes: 'Изменения за двое суток',
  changesLead: 'Час, в который доля у оператора связи через транк резко изменилась, вверх или вниз.',
  noChanges: 'Не было.',
  change: (provider, trunk, mode) => `${provider} через ${trunk}, ${mode}`,
  fromTo: (before, after) => `${before} → ${after}`,
}
