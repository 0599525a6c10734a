// What stands above a list: a search, menus, and the filters that came with a link or a search.

import { verificationModes } from '@ringproof/contract/lists/calls.ts'
import { Search, X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import type { Filters } from '../../shell/use-filters.ts'
import { useWords } from '../../words/words.ts'
import { Button, Segments } from '../forms/Button.tsx'
import { MenuChoice } from '../forms/Menu.tsx'
import { Pick } from '../forms/Pick.tsx'
import { classes } from '../text/classes.ts'
import css from './filters.module.css'

type Props = { readonly filters: Filters; readonly change: (changes: Filters) => void }

export function FilterRow({
  className,
  isTitled = false,
  children,
}: {
  // A class that sets the measures of filters.module.css.
  readonly className?: string | undefined
  // A heading comes first, and the last filter stands at the right.
  readonly isTitled?: boolean
  readonly children: ReactNode
}) {
  return <div className={classes(css.filters, isTitled && css.titled, className)}>{children}</div>
}

type SearchProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  readonly label: string
  readonly onType: (text: string) => void
}

export function SearchForm({
  onFind,
  children,
  ...search
}: SearchProps & { readonly onFind: () => void; readonly children?: ReactNode }) {
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onFind()
      }}
    >
      <SearchField type="search" {...search} />
      {children}
    </form>
  )
}

// Finds while a person types.
export function SearchField({ label, onType, ...input }: SearchProps) {
  return (
    <label className={css.field}>
      <Search size={15} aria-hidden="true" />
      <span className="unseen">{label}</span>
      <input placeholder={label} {...input} onChange={({ target }) => onType(target.value)} />
    </label>
  )
}

// A value of '' stands for all of them.
export function MenuFilter<Value extends string>({
  text,
  ...choice
}: Omit<ComponentProps<typeof MenuChoice<Value>>, 'closes'> & {
  // In place of what is chosen.
  readonly text?: string | undefined
}) {
  const { label, value, of } = choice
  const chosen = of.find((one) => one.value === value && value !== '')
  return (
    <Pick text={text ?? chosen?.text ?? label}>
      <MenuChoice closes {...choice} />
    </Pick>
  )
}

export function StatusFilter({
  filters,
  change,
  words,
}: Props & { readonly words: { readonly status: string; readonly all: string; readonly open: string } }) {
  const { status } = useWords()
  return (
    <Segments
      label={words.status}
      value={filters['status'] ?? 'all'}
      onChange={(value) => change({ status: value === 'all' ? undefined : value })}
      of={[
        { value: 'all', text: words.all },
        { value: 'succeeded', text: status.succeeded },
        { value: 'failed', text: status.failed },
        { value: 'open', text: words.open },
      ]}
    />
  )
}

export function ModeFilter({
  filters,
  change,
  words,
}: Props & { readonly words: { readonly mode: string; readonly anyMode: string } }) {
  const { mode } = useWords()
  return (
    <MenuFilter
      label={words.mode}
      value={filters['mode'] ?? ''}
      onChange={(value) => change({ mode: value })}
      of={[{ value: '', text: words.anyMode }, ...verificationModes.map((value) => ({ value, text: mode[value] }))]}
    />
  )
}

export function RemovableFilters<Name extends string>({
  names,
  filters,
  change,
  textOf,
  remove,
}: Props & {
  readonly names: readonly Name[]
  readonly textOf: (name: Name, value: string) => string
  readonly remove: (text: string) => string
}) {
  return names.flatMap((name) => {
    const value = filters[name]
    if (value === undefined) return []
    const text = textOf(name, value)
    return [
      <Button key={name} isSmall aria-label={remove(text)} onClick={() => change({ [name]: undefined })}>
        {text}
        <X size={13} />
      </Button>,
    ]
  })
}
