import type { TrunkState } from '@ringproof/contract/lists/trunks.ts'
import { classes } from './classes.ts'
import css from './state-tag.module.css'

// A shape and a word, never a colour alone.
export function StateTag({ look, text }: { readonly look: TrunkState; readonly text: string }) {
  return (
    <span className={classes(css.state, css[look])}>
      <i aria-hidden="true" />
      {text}
    </span>
  )
}
