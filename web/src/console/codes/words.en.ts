import { counted } from '../../words/plural.ts'

const numbers = (count: number) => counted('en', count, { one: 'number', other: 'numbers' })
const codes = (count: number) => counted('en', count, { one: 'code', other: 'codes' })
const calls = (count: number) => counted('en', count, { one: 'call', other: 'calls' })

export const words = {
  all: 'Every code can be shown',
  some: (covered: string, all: string) => `${covered} of ${all} codes can be shown`,
  cannot: (count: string) => `${count} cannot`,
  lead: (count: number, country: string) =>
    `${numbers(count)} for ${country}. A flash call shows its code as the last four digits of the caller ID.`,
  anyCountry: 'any country',
  none: 'No caller numbers yet',
  noneText:
    'A flash call needs a number that ends with its code. Import the range that your carrier has assigned to you.',
  noTrunk: 'Add a trunk first: caller numbers belong to the carrier that delivers them.',
  country: 'Country',

  grid: 'Code coverage',
  gridNote: 'One cell a code, 0000 at the top left. The stronger the green, the more live numbers end with it.',
  gridLabel: 'Code, chosen with the arrow keys',
  look: 'Look up a code',
  ends: (code: string, count: number) => `${code}: ${numbers(count)}`,
  manyEnd: (code: string) => `${code}: nine numbers or more`,
  noneEnds: (code: string) => `${code}: no number`,
  notACode: '0000 is never used as a code',
  shades: ['none', '1', '2', '3', '4 and more'],

  holes: 'Without a number',
  holesNote:
    'A request for one of these codes gets error 21 and costs nothing. Codes that we choose ourselves leave them out.',
  why: {
    none: (code: string) => `${code}: no number of yours ends with it.`,
    quarantined: (code: string) => `${code}: the numbers that end with it are in quarantine.`,
    'trunk-off': (code: string, trunk: string) => `${code}: only ${trunk} has such a number, and ${trunk} is off.`,
    'trunk-elsewhere': (code: string, trunk: string) =>
      `${code}: only ${trunk} has such a number, and ${trunk} does not serve this country.`,
  },
  more: (count: number) => `and ${codes(count)} more`,

  import: 'Import numbers',
  importTitle: 'Import caller numbers',
  importLead: 'Numbers that the carrier lets you show as caller ID.',
  trunk: 'Trunk',
  off: 'off',
  countryCode: 'Country where they are shown',
  countryHint: 'Two letters, such as RU.',
  list: 'Numbers',
  listHint: 'One number or FIRST-LAST a line, with country code. CSV works, too.',
  file: 'From a file',
  preview: 'Check the list',
  added: (count: number) => `${numbers(count)} will be added.`,
  nothingNew: 'There is nothing new in this list.',
  duplicates: (count: number) => `${numbers(count)} already here, left out.`,
  taken: (count: number) =>
    `${numbers(count)} with another use: another trunk or country, or a confirmation number. Left out.`,
  repeated: (count: number) => `${numbers(count)} more than once in the list.`,
  invalid: (count: number, lines: string) =>
    `${counted('en', count, { one: 'line', other: 'lines' })} without a valid number: ${lines}.`,
  gained: (count: number) => `${codes(count)} become possible:`,
  gainedNone: 'No code becomes possible that was not before.',
  missingAfter: (count: number) => `${codes(count)} will still be without a number.`,
  completeAfter: 'Every code will have a number.',
  importAct: (count: number) => `Import ${numbers(count)}`,
  imported: (count: number, trunk: string) => `${trunk} has ${numbers(count)} more.`,

  ranges: 'Ranges',
  rangesLead: 'Each belongs to the trunk that delivers calls from it.',
  rangeNote: (trunk: string, country: string, count: string) => `${trunk}, ${country}, ${count} in all`,
  live: 'live',
  out: (count: number) => `${count.toLocaleString('en-GB')} out of use`,
  trunkOff: 'trunk is off',
  rangesMore: (count: number) =>
    `${counted('en', count, { one: 'range', other: 'ranges' })} more: ringproof numbers list`,
  takeOut: 'Take out of use',
  takeOutOf: (range: string) => `Take out of use: ${range}`,
  remove: 'Remove',
  removeOf: (range: string) => `Remove: ${range}`,

  quarantine: 'Out of use',
  quarantineLead: 'No new call shows these numbers. They stay yours.',
  noQuarantine: 'Every number is in use.',
  quarantined: 'quarantined',
  cooling: 'cooling',
  since: (time: string) => `since ${time}`,
  untilReturned: 'until you return them',
  until: (time: string) => `comes back ${time}`,
  giveBack: 'Use again',
  giveBackOf: (range: string) => `Use again: ${range}`,
  returned: (range: string) => `Calls show ${range} again.`,

  outTitle: 'Take numbers out of use',
  outLead: 'For numbers that phones show as spam, or that the carrier rewrites. Calls in progress are not affected.',
  first: 'First number',
  last: 'Last number',
  reason: 'Reason',
  reasonHint: 'Stays in the log.',
  howLong: 'For how long',
  forDays: (days: number) => counted('en', days, { one: 'day', other: 'days' }),
  untilBack: 'Until returned',
  outAct: (count: number) => `Take ${numbers(count)} out of use`,
  wasTakenOut: (count: number) => `${numbers(count)} out of use.`,
  removeTitle: 'Remove numbers',
  removeLead: (trunk: string) => `${trunk} will no longer own them. Calls in progress are not affected.`,
  removeAct: (count: number) => `Remove ${numbers(count)}`,
  removed: (count: number) => `${numbers(count)} removed.`,
  badRange: 'Two numbers of the same length, the first one not greater than the last.',
  loses: (count: number, country: string) => `${country}: ${codes(count)} will be without a number:`,
  losesNone: 'Every code keeps a number.',
  noSuch: 'The trunk has no number in this range.',

  use: 'Even rotation',
  useNone: 'No calls yet. Each call draws its code at random, so all numbers are used alike.',
  useEven: (count: string) => `Even. The last ${count} calls have used the numbers as evenly as a random draw can.`,
  useUneven: (count: string) =>
    `Uneven. Of the last ${count} calls, too many show the same numbers: customers ask for certain codes, or few numbers are left.`,
  useFacts: (used: string, all: string) => `${used} of ${all} numbers used.`,
  useMost: (most: number) => `The busiest one showed ${calls(most)}.`,
  useLabel: 'How many numbers were shown by how many calls',
  useBin: (count: number, times: number) => `${numbers(count)} shown by ${calls(times)}`,
  useAxis: 'calls per number',
}
