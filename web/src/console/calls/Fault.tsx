import type { sides } from '@ringproof/contract/lists/calls.ts'
import { classes } from '../../parts/text/classes.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './calls.module.css'

// The side at fault: a colour and its word.
export function Fault({ side }: { readonly side: (typeof sides)[number] }) {
  const words = useScreenWords('calls')
  return (
    <span className={classes(css.fault, css[side])}>
      <i aria-hidden="true" />
      {words.sides[side]}
    </span>
  )
}
