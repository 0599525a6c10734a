import { kept } from '../../words/kept.ts'
import { counted } from '../../words/plural.ts'

const numbers = (count: number) => counted('en', count, { one: 'number', other: 'numbers' })

export const words = {
  waiting: (count: number) =>
    counted('en', count, { one: 'person is asked to call', other: 'people are asked to call' }),
  quiet: 'Nobody is asked to call right now',
  lead: (count: number) =>
    `${numbers(count)} in the pool. A person who calls the number that they were given is verified; the call is never answered and costs them nothing.`,
  noPool: 'No confirmation numbers yet',
  noPoolText:
    'For inbound verification people call a number of yours. Add those that your carrier delivers to this installation.',
  noTrunk: 'Add a trunk first: confirmation numbers belong to the carrier that delivers their calls.',
  add: 'Add numbers',
  addTitle: 'Add confirmation numbers',
  addLead: 'They are given to people within seconds. A caller number cannot be one.',
  trunk: 'Trunk',
  off: 'off',
  first: 'First number',
  last: 'Last number',
  lastHint: 'Leave it empty for a single number.',
  badRange: 'Two numbers of the same length, the first one not greater than the last; at most 10,000 at once.',
  addAct: (count: number) => `Add ${numbers(count)}`,
  added: (count: number) => `${numbers(count)} added.`,
  addFailed: 'One of them is in use already, as a confirmation or a caller number.',

  open: 'Waiting for a call',
  openLead: 'Open inbound verifications, the oldest first.',
  noneOpen: 'None is open.',
  account: (id: number) => `account ${id}`,
  age: (seconds: string) => `for ${seconds} s`,
  left: (seconds: string) => `${seconds} s left`,
  more: (count: number) => `and ${count.toLocaleString('en-GB')} more`,

  unmatched: 'Calls that matched nothing',
  unmatchedLead: 'Of the last 24 hours, by reason. Callers are not stored.',
  noneUnmatched: 'Every call of the last 24 hours matched its request.',
  calls: (count: number) => counted('en', count, { one: 'call', other: 'calls' }),
  lastCall: (time: string) => `last ${time}`,
  reasons: {
    'no-request': 'No open request for this caller on this number.',
    expired: 'Too late: the request had ended before the call came.',
    withheld: 'The caller ID was withheld.',
    malformed: 'The caller ID is not a number in the carrier’s format. Check the inbound format of the trunk.',
    diverted: 'The call was forwarded to us by another number.',
    'called-back': 'Somebody called a flash number back. That verifies nothing.',
    'wrong-trunk': 'The call came over another trunk than the one that owns the number.',
    'wrong-transport': 'The call came over another transport than the trunk’s.',
    'foreign-via': 'Our replies would have gone to another address than the sender’s.',
    unconfirmed: 'Return path not confirmed: the sender has not shown that it received our reply.',
    'not-ours': 'The called number is not one of ours.',
    failed: 'The database was out of reach. The person may call again.',
  },

  pool: 'Pool',
  poolLead: 'Each request takes a number that the same person was not given by another.',
  inUse: 'in use',
  leaving: `removed, still matched for ${kept.en.removedNumbers}`,
  note: (trunk: string, count: string) => `${trunk}, ${count} in all`,
  remove: 'Remove',
  removeOf: (range: string) => `Remove: ${range}`,
  removeTitle: (range: string) => `Remove ${range}`,
  removeText: 'They are not given out any more. People who have one of them can still call it.',
  removed: (range: string) => `${range} removed.`,
}
