// How a trunk is, and why.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { useFormats } from '../../formats.ts'
import { useScreenWords } from '../../words/words.ts'
import { StateTag } from '../text/StateTag.tsx'

export type TrunkHealth = WebOutput<'trunks'>['trunks'][number]['health']
type Words = ReturnType<typeof useScreenWords<'trunks'>>

export function StateChip({ state }: { readonly state: TrunkHealth['state'] }) {
  const words = useScreenWords('trunks')
  return <StateTag look={state} text={words.state[state]} />
}

// What is wrong, with the status that shows it, since when, and who sees it.
export function reasonOf(health: TrunkHealth, words: Words, formats: ReturnType<typeof useFormats>): string {
  const { cause, status, node, changedAt, reportedAt } = health
  const isNews = health.state === 'down' || health.state === 'degraded'
  return [
    words.cause[cause].replace(/\.$/, ''),
    status === null ? '' : `, ${words.sip(status)}`,
    isNews && changedAt !== null ? `, ${words.since(formats.ago(changedAt))}` : '',
    '.',
    node === null ? '' : ` ${words.seenBy(node)}`,
    reportedAt === null ? '' : ` ${words.lastReport(formats.ago(reportedAt))}`,
  ].join('')
}
