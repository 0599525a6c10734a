import { classes } from '../../parts/classes.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './calls.module.css'

// The side at fault: a colour and its word.
export function Fault({ side }: { readonly side: 'subscriber' | 'carrier' | 'operator' }) {
  const { sides } = useScreenWords('calls')
  return (
    <span className={classes(css.fault, css[side])}>
      <i aria-hidden="true" />
      {sides[side]}
    </span>
  )
}
