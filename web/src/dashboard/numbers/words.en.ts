import { counted } from '../../words/plural.ts'

const numbers = { one: 'number', other: 'numbers' }

export const words = {
  title: 'Number check',
  lead: 'Who serves a number, and where. It says what checkPhone of the API says.',
  list: 'Numbers, as people write them',
  count: (count: number) => counted('en', count, { one: 'entry', other: 'entries' }),
  hint: 'One a line, or separated by commas. They stay on this page: results and the file show them masked.',
  exampleHint: 'An example with test numbers, which are free. Replace it with your own list, up to 1,000 numbers.',
  tooMany: (most: string, count: string) => `At most ${most} at a time. This list has ${count}.`,
  service: 'Service that pays',
  noService: 'A service pays for the check, and you have none that is on.',
  toServices: 'Open services',
  price: 'Count first',
  before: 'Before it runs',
  figures: {
    valid: 'Valid numbers',
    duplicates: 'Duplicates',
    invalid: 'Not a number',
    cost: 'It costs',
    balance: 'Balance',
  },
  notes: { free: 'left out, free', cost: 'by your tariff' },
  unsold: (count: number) =>
    `${counted('en', count, numbers)} will not be checked: your tariff has no price for the country.`,
  tooLittle: 'The balance does not cover the whole list. The check stops when it is used up.',
  toBalance: 'Open the balance',
  obstacles: {
    accountBlocked: 'The account is blocked. Ask the operator of this installation.',
    serviceArchived: 'The service is archived.',
    serviceOff: 'The service is switched off.',
    phoneNotVerified: 'The owner must confirm a phone first.',
  },
  run: (count: number, cost: string | undefined) =>
    `Check ${counted('en', count, numbers)}${cost === undefined ? '' : ` for ${cost}`}`,
  goOn: (count: number) => `Go on with ${counted('en', count, numbers)}`,
  stop: 'Stop',
  progress: (done: number, all: number) => `${done} of ${all}`,
  done: (done: number, all: number) =>
    done === all ? `${counted('en', done, numbers)} checked` : `${done} of ${counted('en', all, numbers)} checked`,
  charged: (amount: string) => `${amount} charged.`,
  registry: (day: string) => `Registry of ${day}.`,
  noRegistry: 'No registry was imported: countries and kinds come from the numbering plans.',
  csv: 'CSV',
  ranOut: (done: number, all: number) =>
    `The balance is used up: ${done} of ${all} were checked. Top up and go on; nothing is charged twice.`,
  split: 'By provider',
  unknown: 'Unknown',
  others: 'Others',
  result: 'Checked numbers',
  more: (count: number) => `${counted('en', count, { one: 'more row', other: 'more rows' })} in the CSV file.`,
  heads: {
    line: '#',
    number: 'Number',
    provider: 'Provider',
    organisation: 'Organisation',
    country: 'Country',
    region: 'Region',
    city: 'City',
    networkCode: 'Network code',
  },
  states: { invalid: 'Not a number', unpaid: 'Not paid', unsold: 'No price' },
}
