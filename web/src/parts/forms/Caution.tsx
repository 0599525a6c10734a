import { TriangleAlert } from 'lucide-react'
import css from './caution.module.css'

// What cannot be undone or seen again, before the reader goes on.
export function Caution({ text }: { readonly text: string }) {
  return (
    <p className={css.caution}>
      <TriangleAlert size={14} aria-hidden="true" />
      {text}
    </p>
  )
}
