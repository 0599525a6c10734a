import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu } from './Menu.tsx'
import css from './pick.module.css'

// One filter of a list: what is chosen now, and a menu of what else there is.
export function Pick({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <Menu
      align="start"
      triggerClass={css.pick}
      trigger={
        <>
          {text}
          <ChevronDown size={14} />
        </>
      }
    >
      {children}
    </Menu>
  )
}
