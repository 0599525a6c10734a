// A table whose columns are data. A row is a link. On a narrow screen a row is two lines of the cells that have a place there.

import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classes } from '../text/classes.ts'
import css from './table.module.css'

export type Column<Item> = {
  readonly name: string
  readonly head: string
  readonly cell: (item: Item) => ReactNode
  readonly isRight?: boolean
  // Less important than the others.
  readonly isQuiet?: boolean
  // Three places in each of two lines; without one it is left out on a narrow screen.
  readonly narrow?: 1 | 2 | 3 | 4 | 5 | 6
}

export function Table<Item>({
  caption,
  columns,
  items,
  keyOf,
  addressOf,
  lookOf,
}: {
  readonly caption: string
  readonly columns: readonly Column<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string | number
  readonly addressOf?: (item: Item) => string
  // A test is hatched, what rings now is under the marker.
  readonly lookOf?: (item: Item) => 'test' | 'ringing' | undefined
}) {
  const navigate = useNavigate()
  return (
    <table className={css.table}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, head, isRight }) => (
            <th key={name} scope="col" className={classes(isRight && css.right)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => {
          const address = addressOf?.(item)
          const look = lookOf?.(item)
          return (
            <tr
              key={keyOf(item)}
              className={classes(address !== undefined && css.link, look && css[look])}
              onClick={(event) => {
                // The link in the row follows itself, and a person may select a text.
                if (address === undefined || event.target instanceof HTMLAnchorElement) return
                if (getSelection()?.isCollapsed !== false) navigate({ href: address }).catch(() => undefined)
              }}
            >
              {columns.map(({ name, cell, isRight, isQuiet, narrow }, index) => (
                <td
                  key={name}
                  className={classes(
                    isRight && css.right,
                    isQuiet && css.quiet,
                    narrow === undefined ? css.wideOnly : css[`place${narrow}`],
                  )}
                >
                  {index === 0 && address !== undefined ? <Link to={address}>{cell(item)}</Link> : cell(item)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
