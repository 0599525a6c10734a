// The trial of a trunk before anybody relies on it: eight test calls to two SIM cards, and a table to fill in. It is Markdown, to be kept.

import { endings } from '../../domain/verifications/describe-verification.ts'
import type { CliCommand } from '../core/context.ts'

type TrialCall = {
  readonly card: 'A' | 'B'
  // What to do with the phone before or during the call.
  readonly phone: string
  readonly from?: '"$OTHER"'
  // What `trunks test` prints if the carrier does as it should.
  readonly good: string
  readonly otherwise: string
}

const rang = endings.rang.words

export const trialCalls: readonly TrialCall[] = [
  {
    card: 'A',
    phone: 'Leave it alone',
    good: rang,
    otherwise: 'If the phone rings and this says otherwise, see `--counts-early-media` of `ringproof trunks set`.',
  },
  {
    card: 'B',
    phone: 'Leave it alone',
    good: rang,
    otherwise: 'If only one of the cards rings, the carrier has no good route to the other operator.',
  },
  {
    card: 'A',
    phone: 'Leave it alone; another caller number',
    from: '"$OTHER"',
    good: rang,
    otherwise:
      'If the digits are those of call 1, the carrier replaces your caller ID: no flash calls over this trunk.',
  },
  {
    card: 'B',
    phone: 'Switch on its filter of unknown callers',
    good: rang,
    otherwise: 'If the number is in no list of calls, people with this filter need a voice or an inbound verification.',
  },
  {
    card: 'A',
    phone: 'Switch it off',
    good: endings.refused.words,
    otherwise: `"${endings.announcement.words}" is good, too. If it rang, the carrier invents ringing: such calls count as made.`,
  },
  {
    card: 'B',
    phone: 'Filter off again; reject the call while it rings',
    good: 'rang after',
    otherwise: `"${endings.rejected.words}" is good, too. If it rings again by itself, the carrier retries.`,
  },
  {
    card: 'A',
    phone: 'Switch it on again; answer at once',
    good: 'answered after',
    otherwise: 'The call ends by itself. This is the one call that every carrier may bill.',
  },
  {
    card: 'B',
    phone: 'Leave it alone; look for a label such as "spam"',
    good: rang,
    otherwise: 'A label after eight calls will be there after eight thousand: talk to the carrier.',
  },
]

export function addTrialCommand(trunks: CliCommand): void {
  trunks
    .command('trial')
    .description('Print how to try a trunk in fifteen minutes: eight calls to two SIM cards, and a table to fill in.')
    .argument('[name]', 'name of the trunk', 'carrier')
    .action((name: string) => trunks.context.say(trialText(name)))
}

function trialText(trunk: string): string {
  return `# Trial of trunk ${trunk}

Fifteen minutes, two SIM cards of different mobile operators: A in an Android phone, B in an iPhone if you have both. Use your own
phones. Nothing is charged to an account, and no verification is created; the carrier may bill the calls.

## Before

    A=      # the number of card A, with country code and without +
    B=      # the number of card B
    OTHER=  # the last of your caller numbers on this trunk
    ringproof trunks list        # the carrier is up
    ringproof numbers coverage   # how many codes your numbers show

## Calls

Each command prints the caller ID that it shows, and how the call went. Wait a minute between two calls to the same card.

${rows(['call', 'phone', 'do', 'good if the command says', 'otherwise'], trialCalls.map(instructions))}

${trialCalls.map((call, at) => `    ${commandOf(trunk, call)}   # ${at + 1}`).join('\n')}

## Fill in

${rows(
  [
    'call',
    'phone and its system',
    'the command said',
    'rang after, s',
    'last four digits right',
    'label',
    'in the list of calls',
  ],
  trialCalls.map((call, at) => [`${at + 1}, ${call.card}`, ...Array<string>(6).fill('')]),
)}

## Ask the carrier, and look at its bill

${rows(
  ['question', 'answer'],
  [
    'Does the contract allow short calls that are meant not to be answered, and how many a day?',
    'What does a call cost that rings and is not answered? Is there a fee for each call, or for a low share of answered calls?',
    'What does an answered call cost, and what is its shortest billed duration?',
    'Which numbers may we show, and are calls from them signed, registered or labelled where that is required?',
    'What did the bill have for calls 1 to 6 and 8? What for call 7?',
  ].map((question) => [question, '']),
)}

## Result

- Calls 1, 2, 3 and 8 rang with the right digits: flash works on this trunk.
- Call 5 rang although the phone was off: no flash over this trunk, because a call that reached nobody would count as made.
- The bill has money for calls that were not answered: put it into the formula of the page "Can I do this at all?".`
}

function instructions({ card, phone, good, otherwise }: TrialCall, at: number): readonly string[] {
  return [String(at + 1), card, phone, `\`${good}\``, otherwise]
}

function commandOf(trunk: string, { card, from }: TrialCall): string {
  return `ringproof trunks test ${trunk} --to "$${card}"${from === undefined ? '' : ` --from ${from}`}`
}

function rows(heads: readonly string[], cells: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
