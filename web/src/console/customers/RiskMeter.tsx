import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { classes } from '../../parts/text/classes.ts'
import { StateTag } from '../../parts/text/StateTag.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './customers.module.css'

type ShownRisk = WebOutput<'customer'>['risk']
type State = WebOutput<'customer'>['state']

export function RiskMeter({ risk: { level, score, signs } }: { readonly risk: ShownRisk }) {
  const words = useScreenWords('customers')
  const [first] = signs
  return (
    <span className={classes(css.risk, css[level])}>
      <i aria-hidden="true">
        <i style={{ width: `${score}%` }} />
      </i>
      <b>{words.levels[level]}</b>
      <small>{score}</small>
      {level !== 'low' && first !== undefined && (
        <span className={css.sign} title={words.signs[first.kind]}>
          {words.signs[first.kind]}
        </span>
      )}
    </span>
  )
}

const looks = { active: 'healthy', blocked: 'down', closed: 'disabled' } as const

export function StateChip({ state }: { readonly state: State }) {
  const words = useScreenWords('customers')
  return <StateTag look={looks[state]} text={words.stateNames[state]} />
}
