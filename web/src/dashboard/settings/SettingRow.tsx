import type { SettingName } from '@ringproof/contract/web/setting-names.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import { classes } from '../../parts/text/classes.ts'
import { useScreenWords } from '../../words/words.ts'
import { useSettingValue } from './setting-value.ts'
import css from './settings.module.css'
import { useSettings } from './settings-context.ts'

// One setting: its name, what it means, what is recommended, and its control.
export function SettingRow({
  name,
  children,
  aside,
}: {
  readonly name: SettingName
  readonly children: (id: string) => ReactNode
  // Beside the control: how much of a limit is used.
  readonly aside?: ReactNode
}) {
  const words = useScreenWords('settings')
  const shown = useSettingValue()
  const { page, draft } = useSettings()
  const id = `control-${name}`
  const isWrong = draft.mistakes.includes(name)
  const note = (words.notes as Partial<Record<SettingName, string>>)[name]
  const recommended = page.recommended[name]
  return (
    <Marked as="li" name={name} className={classes(css.row, useIsUnsaved(name) && css.unsaved)}>
      <div>
        <label htmlFor={id}>
          <MarkedName name={name} />
        </label>
        {isWrong ? (
          <p className={css.wrong} id={`${id}-note`} role="alert">
            {words.mistakes[name]}
          </p>
        ) : (
          note !== undefined && <p id={`${id}-note`}>{note}</p>
        )}
        {recommended !== undefined && <em>{words.recommended(shown(name, recommended))}</em>}
      </div>
      <span className={css.control}>{children(id)}</span>
      {aside}
    </Marked>
  )
}

export function useIsUnsaved(...names: readonly SettingName[]): boolean {
  const { changes } = useSettings().draft
  return changes.some(({ name }) => names.includes(name))
}

// The name under the marker, if a link has led here.
export function MarkedName({ name, children }: { readonly name: SettingName; readonly children?: ReactNode }) {
  const words = useScreenWords('settings')
  const text = children ?? words.labels[name]
  return useSettings().marked.includes(name) ? <mark className={css.mark}>{text}</mark> : text
}

// Scrolls to itself if it is the first that a link has led to.
export function Marked({
  as: Part,
  name,
  className,
  children,
}: {
  readonly as: 'li' | 'div' | 'section'
  readonly name: SettingName
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  const { marked } = useSettings()
  const isFirst = marked[0] === name
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isFirst) return
    // A country within the geography.
    const inner = box.current?.querySelector<HTMLElement>('[data-marked]') ?? box.current
    inner?.scrollIntoView({ block: 'center' })
    inner?.querySelector<HTMLElement>('input, select, button')?.focus({ preventScroll: true })
  }, [isFirst])
  const setBox = (element: HTMLElement | null) => {
    box.current = element
  }
  return (
    <Part
      ref={setBox}
      id={`setting-${name}`}
      data-marked={marked.includes(name) ? '' : undefined}
      className={classes(className, marked.includes(name) && css.marked)}
    >
      {children}
    </Part>
  )
}
