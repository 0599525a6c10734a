import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import css from './code.module.css'

// A block of code in several languages: tabs in its bar, and an action at the right.
export function CodeTabs({
  value,
  of,
  onChange,
  action,
}: {
  readonly value: string
  readonly of: readonly { readonly value: string; readonly panel: ReactNode }[]
  readonly onChange: (value: string) => void
  readonly action: ReactNode
}) {
  return (
    <BaseTabs.Root value={value} onValueChange={(next) => onChange(String(next))} className={css.block}>
      <div className={css.bar}>
        <BaseTabs.List className={css.tabs}>
          {of.map((tab) => (
            <BaseTabs.Tab key={tab.value} value={tab.value} className={css.tab}>
              {tab.value}
            </BaseTabs.Tab>
          ))}
        </BaseTabs.List>
        {action}
      </div>
      {of.map((tab) => (
        <BaseTabs.Panel key={tab.value} value={tab.value} tabIndex={-1}>
          {tab.panel}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
