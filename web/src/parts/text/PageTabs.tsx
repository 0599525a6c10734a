import { Link } from '@tanstack/react-router'
import css from './page-tabs.module.css'

// The parts of a place; each has its address.
export function PageTabs({
  label,
  of,
}: {
  readonly label: string
  readonly of: readonly { readonly to: string; readonly text: string }[]
}) {
  return (
    <nav className={css.tabs} aria-label={label}>
      {of.map(({ to, text }) => (
        <Link key={to} to={to} activeOptions={{ exact: true }}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
