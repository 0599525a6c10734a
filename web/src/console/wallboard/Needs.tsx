import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../formats.ts'
import { buttonClass } from '../../parts/forms/Button.tsx'
import { reasonOf, StateChip, type TrunkHealth } from '../../parts/phone/TrunkState.tsx'
import { useScreenWords } from '../../words/words.ts'
import { type Need, needsOf } from './needs-of.ts'
import css from './wallboard.module.css'

type Board = WebOutput<'wallboard'>

export function Needs({ board }: { readonly board: Board }) {
  const words = useScreenWords('wallboard')
  const needs = needsOf(board)
  if (needs.length === 0) return null
  return (
    <section className={css.needs} aria-label={words.needs}>
      <ol>
        {needs.map((need) => (
          <li key={keyOf(need)}>
            <One need={need} webhooksDue={board.webhooksDue} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function One({ need, webhooksDue }: { readonly need: Need; readonly webhooksDue: number }) {
  const words = useScreenWords('wallboard')
  const trunkWords = useScreenWords('trunks')
  const formats = useFormats()
  const share = (of: number) => formats.percent(Math.round(of * 100) / 100)
  switch (need.kind) {
    case 'stop':
      return <Line state="down" what={words.stopped} why={need.reason} to="/console/trunks" act={words.toTrunks} />
    case 'trunk': {
      const { name, health } = need.trunk
      const why = [reasonOf(health, trunkWords, formats), trunkWords.advice[health.cause]].join(' ')
      return <Line state={health.state} what={name} why={why} to={`/console/trunks/${name}`} act={words.toTrunk} />
    }
    case 'moved': {
      const { provider, from, to, at, fromShare, toShare } = need.moved
      const why = `${words.moved(from, to, formats.clock(at))}: ${words.shares(share(fromShare), share(toShare))}`
      const what = provider || words.unknown
      return <Line state="degraded" what={what} why={why} to="/console/routing" act={words.toRouting} />
    }
    case 'fault': {
      const { check, subject, cause } = need.fault
      const what = subject === '' ? check : `${check}, ${subject}`
      return <Line state="down" what={what} why={cause} to="/console/system/health" act={words.toHealth} isEnglish />
    }
    case 'webhooks': {
      const why = words.webhooksLate(formats.number(webhooksDue))
      return <Line state="degraded" what={words.webhooks} why={why} to="/console/webhooks" act={words.toWebhooks} />
    }
  }
}

function Line({
  state,
  what,
  why,
  to,
  act,
  isEnglish = false,
}: {
  readonly state: TrunkHealth['state']
  readonly what: string
  readonly why: string
  readonly to: string
  readonly act: string
  // The sentences of the command line.
  readonly isEnglish?: boolean
}) {
  return (
    <>
      <StateChip state={state} />
      <div lang={isEnglish ? 'en' : undefined}>
        <b>{what}</b>
        <p>{why}</p>
      </div>
      <Link to={to} className={buttonClass('plain', { isSmall: true })} aria-label={`${act}: ${what}`}>
        {act}
      </Link>
    </>
  )
}

function keyOf(need: Need): string {
  if (need.kind === 'fault') return `fault ${need.fault.check} ${need.fault.subject} ${need.fault.cause}`
  if (need.kind === 'trunk') return `trunk ${need.trunk.name}`
  return need.kind === 'moved' ? `moved ${need.moved.id}` : need.kind
}
