import { languages } from '@ringproof/contract/lists/people.ts'
import type { ReactNode } from 'react'
import { Digits } from '../parts/charts/Ring.tsx'
import { Segments } from '../parts/forms/Button.tsx'
import { Brand } from '../parts/text/Brand.tsx'
import { useMe } from '../queries.ts'
import { usePageTitle } from '../shell/page-title.ts'
import { useLanguage, useScreenWords } from '../words/words.ts'
import css from './sign.module.css'

// What a screen without the shell stands in: the form at the left, a page of the directory at the right.
export function Door({
  title,
  lead,
  children,
}: {
  readonly title: string
  readonly lead?: string
  readonly children?: ReactNode
}) {
  const words = useScreenWords('sign')
  const shell = useLanguage()
  const { installation } = useMe()
  usePageTitle([title])
  return (
    <div className={css.door}>
      <main className={css.form} id="main">
        <Brand className={css.brand} />
        <div className={css.inner}>
          <header>
            <h1>{title}</h1>
            {lead !== undefined && <p>{lead}</p>}
          </header>
          {children}
        </div>
        <footer className={css.foot}>
          <span>
            {words.host} <b>{installation.name}</b>
          </span>
          {installation.supportAddress !== '' && <a href={supportLink(installation.supportAddress)}>{words.help}</a>}
          <Segments
            label={shell.words.shell.language}
            value={shell.language}
            onChange={(next) => {
              shell.choose(next).catch(() => undefined)
            }}
            of={languages.map((value) => ({ value, text: shell.words.languageNames[value] }))}
          />
        </footer>
      </main>
      <Directory caption={words.caption} />
    </div>
  )
}

// The operator writes an address or a link.
function supportLink(address: string): string {
  if (/^https?:\/\//.test(address)) return address
  return address.includes('@') ? `mailto:${address}` : '#main'
}

// Sorted, with the guide words of a real directory. Numbers of this range do not exist.
const marked = 4821
const numbers = [
  ...new Set(
    Array.from({ length: 140 }, (_, n) => (n === 38 ? marked : 4726 + Math.round(n * 2.51 + ((n * 7) % 5) / 2))),
  ),
].toSorted((a, b) => a - b)
const prefix = '7 000 000'

function Directory({ caption }: { readonly caption: string }) {
  return (
    <aside className={css.paper} aria-hidden="true">
      <div className={css.guide}>
        <b>{numbers[0]}</b>
        <span>{Math.floor(marked / 10)}</span>
        <b>{numbers.at(-1)}</b>
      </div>
      <ol className={css.columns}>
        {numbers.map((number) => (
          <li key={number}>
            <span>{prefix}</span>
            {number === marked ? <Digits>{number}</Digits> : <em>{number}</em>}
          </li>
        ))}
      </ol>
      <p className={css.caption}>{caption}</p>
    </aside>
  )
}
