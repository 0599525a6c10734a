import { classes } from './classes.ts'
import css from './state-tag.module.css'

export type StateLook = 'healthy' | 'degraded' | 'down' | 'draining' | 'disabled'

// A shape and a word, never a colour alone.
export function StateTag({ look, text }: { readonly look: StateLook; readonly text: string }) {
  return (
    <span className={classes(css.state, css[look])}>
      <i aria-hidden="true" />
      {text}
    </span>
  )
}
