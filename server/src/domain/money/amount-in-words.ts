// An amount as Russian accountants write it out, roubles in words and kopecks in figures: one hundred and five roubles 50 kopecks. In
// another currency the figures are enough.

import type { Language } from '@ringproof/contract/lists/people.ts'
import type { MicroAmount } from './money.ts'

// Of whole kopecks, below a billion roubles and a thousand millions.
export function amountInWords(amount: MicroAmount, currency: string, language: Language): string | undefined {
  if (currency !== 'RUB') return undefined
  const kopecks = Math.round(amount / 10_000)
  const roubles = Math.floor(kopecks / 100)
  const rest = kopecks % 100
  const figures = String(rest).padStart(2, '0')
  return language === 'ru'
    ? `${russian(roubles)} ${form(roubles, ['рубль', 'рубля', 'рублей'])} ${figures} ${form(rest, ['копейка', 'копейки', 'копеек'])}`
    : `${english(roubles)} ${roubles === 1 ? 'rouble' : 'roubles'} ${figures} ${rest === 1 ? 'kopeck' : 'kopecks'}`
}

type Forms = readonly [one: string, few: string, many: string]

function form(count: number, [one, few, many]: Forms): string {
  const tens = count % 100
  const ones = count % 10
  if (tens > 10 && tens < 20) return many
  if (ones === 1) return one
  return ones > 1 && ones < 5 ? few : many
}

const ruOnes = namesOf(
  ' один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать',
)
const ruTens = namesOf('  двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто')
const ruHundreds = namesOf(' сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот')

function russian(count: number): string {
  if (count === 0) return 'ноль'
  const groups = [
    { value: Math.floor(count / 1_000_000), forms: ['миллион', 'миллиона', 'миллионов'] as const, isFeminine: false },
    { value: Math.floor(count / 1_000) % 1_000, forms: ['тысяча', 'тысячи', 'тысяч'] as const, isFeminine: true },
    { value: count % 1_000, forms: undefined, isFeminine: false },
  ]
  return groups
    .filter(({ value }) => value > 0)
    .map(({ value, forms, isFeminine }) => joined(russianGroup(value, isFeminine), forms ? form(value, forms) : ''))
    .join(' ')
}

function russianGroup(value: number, isFeminine: boolean): string {
  const [tens, ones] = value % 100 < 20 ? [0, value % 100] : [Math.floor(value / 10) % 10, value % 10]
  const feminine = ones === 1 ? 'одна' : ones === 2 ? 'две' : undefined
  return joined(ruHundreds[Math.floor(value / 100)], ruTens[tens], (isFeminine ? feminine : undefined) ?? ruOnes[ones])
}

const enOnes = namesOf(
  ' one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
)
const enTens = namesOf('  twenty thirty forty fifty sixty seventy eighty ninety')

function english(count: number): string {
  if (count === 0) return 'zero'
  const groups = [
    [Math.floor(count / 1_000_000), 'million'],
    [Math.floor(count / 1_000) % 1_000, 'thousand'],
    [count % 1_000, ''],
  ] as const
  return groups
    .filter(([value]) => value > 0)
    .map(([value, name]) => joined(englishGroup(value), name))
    .join(' ')
}

function englishGroup(value: number): string {
  const below = value % 100
  const small =
    below < 20 ? enOnes[below] : [enTens[Math.floor(below / 10)], enOnes[below % 10]].filter(Boolean).join('-')
  const hundreds = value >= 100 ? `${enOnes[Math.floor(value / 100)]} hundred` : ''
  return joined(hundreds, hundreds !== '' && small ? 'and' : '', small)
}

function joined(...words: readonly (string | undefined)[]): string {
  return words.filter(Boolean).join(' ')
}

// By their number: a space at the start stands for nothing at 0.
function namesOf(text: string): readonly string[] {
  return text.split(' ')
}
