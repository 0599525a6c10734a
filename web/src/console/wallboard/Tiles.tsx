import type { TrunkState } from '@ringproof/contract/lists/trunks.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../formats.ts'
import { StateChip } from '../../parts/phone/TrunkState.tsx'
import { classes } from '../../parts/text/classes.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './wallboard.module.css'

type Trunk = WebOutput<'wallboard'>['trunks'][number]

const rank: Readonly<Record<TrunkState, number>> = { down: 0, degraded: 1, draining: 2, healthy: 3, disabled: 4 }

// The worst first. A tile leads to the calls of its trunk.
export function Tiles({ trunks }: { readonly trunks: readonly Trunk[] }) {
  const words = useScreenWords('wallboard')
  const inOrder = trunks.toSorted((one, other) => rank[one.health.state] - rank[other.health.state])
  return (
    <section className={css.tiles} aria-label={words.trunks}>
      {inOrder.map((trunk) => (
        <Tile key={trunk.name} trunk={trunk} />
      ))}
    </section>
  )
}

function Tile({ trunk }: { readonly trunk: Trunk }) {
  const words = useScreenWords('wallboard')
  const formats = useFormats()
  const { name, health, activeCalls, channels, startedPerSecond, callsPerSecond, dialled, rang } = trunk
  return (
    <Link
      to="/console/calls"
      search={{ trunk: name }}
      className={classes(css.tile, health.state === 'down' && css.isDown)}
    >
      <span className={css.tileHead}>
        <b>{name}</b>
        <StateChip state={health.state} />
      </span>
      {health.state === 'down' && <em>{words.noCalls}</em>}
      <span className={css.bar} aria-hidden="true">
        <i style={{ width: `${Math.min(1, activeCalls / channels) * 100}%` }} />
      </span>
      <span className={css.pair}>
        {words.channels}
        <b>
          {formats.number(activeCalls)} / {formats.number(channels)}
        </b>
      </span>
      <span className={css.pair}>
        {words.perSecond}
        <b>
          {formats.seconds(startedPerSecond)} / {formats.number(callsPerSecond)}
        </b>
      </span>
      <span className={css.pair}>
        {words.rangHour}
        <b>{dialled === 0 ? '–' : formats.percent(Math.round((rang / dialled) * 1000) / 1000)}</b>
      </span>
    </Link>
  )
}
