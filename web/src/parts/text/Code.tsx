import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWords } from '../../words/words.ts'
import { Button } from '../forms/Button.tsx'
import { classes } from './classes.ts'
import css from './code.module.css'

// Marks in a sample: «…» was filled in for the reader, [[…]] stands under the marker.
const strings = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)/
const marks = /(«[^»]*»|\[\[[^\]]*\]\])/
const pieces =
  /(«[^»]*»|\[\[[^\]]*\]\])|((?:^|(?<=\s))(?:#|\/\/)[^\n]*)|\b(curl|const|await|echo|import|from|print|func|package|return|new|if|true|false|null|var)\b|(\$[a-zA-Z]\w*|(?<=\s)--?[a-zA-Z][\w-]*)/gm

export function Code({
  text,
  label,
  isWrapped = false,
}: {
  readonly text: string
  readonly label: string
  readonly isWrapped?: boolean
}) {
  return (
    <pre className={classes(css.pre, isWrapped && css.wrap)} tabIndex={0} role="region" aria-label={label}>
      <code>
        {text.split(strings).map((part, at) =>
          at % 2 === 1 ? (
            <span key={at} className={css.string}>
              {part.split(marks).map((piece, index) => marked(piece, index))}
            </span>
          ) : (
            <span key={at}>{coloured(part)}</span>
          ),
        )}
      </code>
    </pre>
  )
}

function coloured(text: string): ReactNode[] {
  const out: ReactNode[] = []
  let last = 0
  for (const match of text.matchAll(pieces)) {
    const [all, mark, note, word] = match
    out.push(text.slice(last, match.index))
    last = match.index + all.length
    const look = note === undefined ? (word === undefined ? css.name : css.word) : css.note
    out.push(
      mark === undefined ? (
        <span key={match.index} className={look}>
          {all}
        </span>
      ) : (
        marked(mark, match.index)
      ),
    )
  }
  out.push(text.slice(last))
  return out
}

function marked(piece: string, key: number): ReactNode {
  if (piece.startsWith('«')) return <Filled key={key}>{piece.slice(1, -1)}</Filled>
  if (!piece.startsWith('[[')) return piece
  return (
    <mark key={key} className={css.mark}>
      {piece.slice(2, -2)}
    </mark>
  )
}

function Filled({ children }: { readonly children: string }) {
  return <span className={css.filled}>{children}</span>
}

function withoutMarks(text: string): string {
  return text.replaceAll(/[«»]|\[\[|\]\]/g, '')
}

export function CodeBlock({
  text,
  label,
  bar,
}: {
  readonly text: string
  readonly label: string
  readonly bar: ReactNode
}) {
  return (
    <div className={css.block}>
      <div className={css.bar}>{bar}</div>
      <Code text={text} label={label} isWrapped />
    </div>
  )
}

const doneMs = 1500

export function CopyButton({
  text,
  children,
  isIcon = false,
  onCopied,
  autoFocus = false,
}: {
  readonly text: string
  readonly children?: ReactNode
  readonly isIcon?: boolean
  readonly onCopied?: (() => void) | undefined
  readonly autoFocus?: boolean
}) {
  const words = useWords()
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(withoutMarks(text))
    setDone(true)
    setTimeout(() => setDone(false), doneMs)
    onCopied?.()
  }
  return (
    <Button
      isSmall
      look="ghost"
      isIcon={isIcon}
      aria-label={isIcon ? words.copy : undefined}
      data-first={autoFocus ? '' : undefined}
      onClick={() => {
        copy().catch(() => undefined)
      }}
    >
      {isDone ? <Check size={14} /> : <Copy size={14} />}
      {!isIcon && (isDone ? words.copied : (children ?? words.copy))}
    </Button>
  )
}

export function CodeTitle({ children }: { readonly children: ReactNode }) {
  return <span className={css.title}>{children}</span>
}

// A secret that is shown once, in full.
export function KeyLine({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className={css.keyLine}>
      <code>{text}</code>
      {children}
    </div>
  )
}
