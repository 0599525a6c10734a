import { useWords } from '../../words/words.ts'
import css from './brand.module.css'
import { classes } from './classes.ts'

// The name of the product, its end under the marker.
export function Brand({ className }: { readonly className?: string | undefined }) {
  const { brand } = useWords()
  return (
    <span className={classes(css.brand, className)}>
      {brand[0]}
      <mark>{brand[1]}</mark>
    </span>
  )
}
