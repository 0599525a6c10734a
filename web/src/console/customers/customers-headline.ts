import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { Headline, Said } from '../../headline.ts'
import type { words as en } from './words.en.ts'

type Customer = WebOutput<'customers'>['customers'][number]

// Of the customers on the page. It praises nobody: without a sign of trouble it is only a title.
export function customersHeadline(
  customers: readonly Pick<Customer, 'risk' | 'state'>[],
  lost: Said | undefined,
  words: typeof en,
): Headline {
  if (lost !== undefined) return { ...lost, tone: 'lost' }
  const odd = customers.filter(({ risk, state }) => risk.level !== 'low' && state === 'active')
  const lead = words.lead
  if (odd.length === 0) return { title: words.title, lead, tone: 'unknown' }
  const tone = odd.some(({ risk }) => risk.level === 'high') ? 'bad' : 'poor'
  return { title: words.odd(odd.length), lead, tone }
}
