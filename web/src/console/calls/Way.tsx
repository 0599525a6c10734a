import { useFormats } from '../../formats.ts'
import { StatusShape } from '../../parts/charts/Ring.tsx'
import { classes } from '../../parts/text/classes.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './call.module.css'
import type { ShownCall } from './shown-call.ts'

type State = 'passed' | 'failed' | 'ahead'
const order = ['customer', 'us', 'trunk', 'network', 'subscriber'] as const
const stationOfSide = { operator: 1, carrier: 2, subscriber: 4 } as const

// Five stations from the customer's program to the phone: how far the call came, and where it ended.
export function Way({ shown }: { readonly shown: ShownCall }) {
  const words = useScreenWords('calls')
  const said = useSaid(shown)
  return (
    <section className={css.way} aria-label={words.path}>
      <ol>
        {order.map((name, index) => {
          const state = stateOf(shown, index)
          return (
            <li key={name} className={css[state]}>
              <i aria-hidden="true">
                <StatusShape status={state === 'passed' ? 'succeeded' : state === 'failed' ? 'failed' : 'waiting'} />
              </i>
              <small>{words.stations[name]}</small>
              <b className={classes(state === 'failed' && css.bad)}>{said[name].title}</b>
              <p>{said[name].text}</p>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function useSaid(shown: ShownCall): Readonly<Record<(typeof order)[number], { title: string; text: string }>> {
  const words = useScreenWords('calls')
  const { mode } = useWords()
  const formats = useFormats()
  const isInbound = shown.mode === 'inbound'
  const trunks = shown.legs.map(({ trunk, response }) => `${trunk}: ${response || words.noResponse}`)
  const dialled =
    shown.dialledAt === null
      ? words.notDialled
      : words.dialledAfter(formats.hundredths((shown.dialledAt - shown.acceptedAt) / 1_000))
  const ring =
    shown.ringDelayMs === null ? words.notRinging : words.rangAfter(formats.seconds(shown.ringDelayMs / 1_000))
  const rang = shown.ringMs === null ? words.notReached : words.rangFor(formats.seconds(shown.ringMs / 1_000))
  return {
    customer: { title: shown.accountName, text: mode[shown.mode] },
    us: { title: 'Ringproof', text: isInbound ? '' : dialled },
    trunk: { title: shown.trunk ?? words.noTrunk, text: trunks.join(', ') },
    network: {
      title: [shown.provider || words.unknownProvider, shown.region].filter(Boolean).join(', '),
      text: isInbound ? '' : ring,
    },
    subscriber: {
      title: shown.phoneMask,
      text: isInbound ? (shown.status === 'succeeded' ? words.called : '') : rang,
    },
  }
}

function stateOf(shown: ShownCall, index: number): State {
  if (shown.status === 'succeeded') return 'passed'
  if (shown.status === 'failed' && shown.atFault !== null) {
    const end = stationOfSide[shown.atFault]
    return index < end ? 'passed' : index === end ? 'failed' : 'ahead'
  }
  const reached = shown.rangAt !== null ? 5 : shown.dialledAt !== null ? 3 : 1
  return index < reached ? 'passed' : 'ahead'
}
