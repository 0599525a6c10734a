import { type CSSProperties, useState } from 'react'
import { CodeBlock, CodeTitle, CopyButton } from '../text/Code.tsx'
import { classes } from '../text/classes.ts'
import css from './sip-flow.module.css'
import type { SipFlowMessage, SipFlowRow } from './sip-flow-rows.ts'

type SipFlowWords = {
  readonly label: string
  readonly nothingFor: (seconds: string) => string
  readonly ringsFor: (seconds: string) => string
}

type SipFlowProps = {
  readonly rows: readonly SipFlowRow[]
  // Four, from left to right.
  readonly heads: readonly { readonly name: string; readonly note?: string }[]
  readonly words: SipFlowWords
  // Formats seconds.
  readonly seconds: (value: number) => string
}

// Who said what to whom, downwards in time. An arrow opens its raw message.
export function SipFlow({ rows, heads, words, seconds }: SipFlowProps) {
  const [chosen, setChosen] = useState<number | undefined>(() => firstChosen(rows))
  const shown = chosen === undefined ? undefined : rows[chosen]
  return (
    <>
      <div className={css.flow} role="group" aria-label={words.label}>
        <div className={css.lines} aria-hidden="true">
          {heads.map(({ name }) => (
            <i key={name} />
          ))}
        </div>
        <div className={css.heads}>
          <i />
          {heads.map(({ name, note }) => (
            <span key={name}>
              {name}
              <small>{note ?? '\u00a0'}</small>
            </span>
          ))}
        </div>
        {rows.map((row, at) =>
          row.kind === 'message' ? (
            <Arrow key={at} message={row} isChosen={chosen === at} onChoose={() => setChosen(at)} />
          ) : (
            <div key={at} className={classes(css.row, row.kind === 'ringing' ? css.ringing : css.gap)}>
              <time />
              <em>{(row.kind === 'ringing' ? words.ringsFor : words.nothingFor)(seconds(row.lengthMs / 1_000))}</em>
              {row.kind === 'ringing' && <b />}
            </div>
          ),
        )}
      </div>
      {shown?.kind === 'message' && shown.raw !== undefined && (
        <div className={css.raw}>
          <CodeBlock
            text={shown.raw}
            label={shown.text}
            bar={
              <>
                <CodeTitle>{`${shown.text} · ${timeOf(shown)}`}</CodeTitle>
                <CopyButton text={shown.raw} />
              </>
            }
          />
        </div>
      )}
    </>
  )
}

function Arrow({
  message,
  isChosen,
  onChoose,
}: {
  readonly message: SipFlowMessage
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  const { from, to, text, tone } = message
  const [left, right] = [Math.min(from, to), Math.max(from, to)]
  const style = { gridColumn: `${left + 2} / ${right + 3}`, '--lanes': right - left + 1 } as CSSProperties
  const look = classes(css.arrow, to > from ? css.right : css.left, css[tone])
  return (
    <div className={css.row}>
      <time>{timeOf(message)}</time>
      {message.raw === undefined ? (
        <div className={look} style={style}>
          <span>{text}</span>
        </div>
      ) : (
        <button type="button" className={look} style={style} aria-pressed={isChosen} onClick={onChoose}>
          <span>{text}</span>
        </button>
      )}
    </div>
  )
}

function timeOf({ sinceMs }: SipFlowMessage): string {
  return (sinceMs / 1_000).toFixed(3)
}

// What most people look for: the ringing, or what the carrier refused with.
function firstChosen(rows: readonly SipFlowRow[]): number | undefined {
  const at = rows.findLastIndex((row) => row.kind === 'message' && (row.tone === 'ring' || row.tone === 'bad'))
  return at < 0 ? undefined : at
}
