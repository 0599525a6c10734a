// All ten thousand codes at once: one picture, and one control. The arrow keys move over the cells, and a screen reader reads the
// chosen one; the list of holes beside it says the same in words.

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import css from './coverage-grid.module.css'

// By count: none, one, two, three, four and more.
const shades = [
  'var(--failed-fill)',
  'color-mix(in oklab, var(--succeeded-fill) 26%, var(--sheet))',
  'color-mix(in oklab, var(--succeeded-fill) 52%, var(--sheet))',
  'color-mix(in oklab, var(--succeeded-fill) 80%, var(--sheet))',
  'color-mix(in oklab, var(--succeeded-fill) 82%, var(--ink))',
] as const
// 0000 is not a code.
const unused = 'var(--quiet-wash)'

const side = 100
const labels = ['00', '10', '20', '30', '40', '50', '60', '70', '80', '90', '99']

export function CoverageGrid({
  counts,
  label,
  shown,
  textOf,
  onShow,
}: {
  // A digit for each code.
  readonly counts: string
  readonly label: string
  readonly shown: number
  // What is said about a code.
  readonly textOf: (code: number) => string
  readonly onShow: (code: number) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [pointed, setPointed] = useState<number>()
  useEffect(() => {
    const drawing = canvas.current
    if (drawing === null) return undefined
    return keepDrawn(drawing, counts)
  }, [counts])
  const at = pointed ?? shown
  const [row, column] = [Math.floor(at / side), at % side]
  const place = { left: `${column}%`, top: `${row}%` }
  return (
    <div className={css.wrap}>
      <i />
      <Labels className={css.columns} />
      <Labels className={css.rows} />
      <div
        className={css.box}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={counts.length - 1}
        aria-valuenow={shown}
        aria-valuetext={textOf(shown)}
        onKeyDown={(event) => {
          const next = nextCode(event, shown)
          if (next === undefined) return
          event.preventDefault()
          onShow(next)
        }}
        onPointerMove={(event) => setPointed(codeAt(event))}
        onPointerLeave={() => setPointed(undefined)}
        onPointerDown={(event) => onShow(codeAt(event))}
      >
        <canvas ref={canvas} aria-hidden="true" />
        <Rings counts={counts} />
        <i className={css.at} style={place} />
        <div
          className={css.tip}
          style={{
            top: row < 88 ? `calc(${row}% + 16px)` : `calc(${row}% - 36px)`,
            ...(column < 55 ? { left: `calc(${column}% + 12px)` } : { right: `calc(${side - column}% + 6px)` }),
          }}
          aria-hidden="true"
        >
          {textOf(at)}
        </div>
      </div>
    </div>
  )
}

function Rings({ counts }: { readonly counts: string }) {
  return runsOf(counts).map(({ first, length }) => (
    <i
      key={first}
      className={css.ring}
      style={{
        left: `calc(${first % side}% - 3px)`,
        top: `calc(${Math.floor(first / side)}% - 3px)`,
        width: `calc(${length}% + 6px)`,
      }}
    />
  ))
}

export function CoverageLegend({ texts }: { readonly texts: readonly string[] }) {
  return (
    <div className={css.legend}>
      {shades.map((shade, index) => (
        <span key={shade}>
          <i style={{ background: shade }} />
          {texts[index]}
        </span>
      ))}
    </div>
  )
}

function Labels({ className }: { readonly className: string | undefined }) {
  return (
    <div className={className} aria-hidden="true">
      {labels.map((label) => (
        <span key={label}>{label}</span>
      ))}
    </div>
  )
}

function nextCode({ key }: KeyboardEvent, code: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -side,
    ArrowDown: side,
    PageUp: -10 * side,
    PageDown: 10 * side,
    Home: -(code % side),
    End: side - 1 - (code % side),
  }
  const step = steps[key]
  return step === undefined ? undefined : Math.min(side * side - 1, Math.max(0, code + step))
}

function codeAt({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): number {
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  const cell = (share: number) => Math.max(0, Math.min(side - 1, Math.floor(share * side)))
  return cell((clientY - top) / height) * side + cell((clientX - left) / width)
}

type Run = { readonly first: number; readonly length: number }

// An outline shows what is rare; where much is red, the colour is enough.
const runsMax = 60

// Neighbouring holes of one row, so that four side by side get one outline.
function runsOf(counts: string): readonly Run[] {
  const runs: Run[] = []
  for (let code = 1; code < counts.length; code++) {
    if (counts[code] !== '0') continue
    const last = runs.at(-1)
    const goesOn = last !== undefined && last.first + last.length === code && code % side !== 0
    if (last !== undefined && goesOn) runs.splice(-1, 1, { ...last, length: last.length + 1 })
    else runs.push({ first: code, length: 1 })
  }
  return runs.length > runsMax ? [] : runs
}

// Draws again when its width or the theme changes. Returns how to stop.
function keepDrawn(canvas: HTMLCanvasElement, counts: string): () => void {
  const paint = () => draw(canvas, counts)
  const size = new ResizeObserver(paint)
  const { parentElement: box } = canvas
  if (box?.parentElement) size.observe(box.parentElement)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', paint)
  const theme = new MutationObserver(paint)
  theme.observe(document.documentElement, { attributes: true })
  return () => {
    size.disconnect()
    scheme.removeEventListener('change', paint)
    theme.disconnect()
  }
}

const labelPixels = 22

// A cell is a whole number of the screen's pixels, or the gaps between cells would shimmer.
function draw(canvas: HTMLCanvasElement, counts: string): void {
  const box = canvas.parentElement
  const context = canvas.getContext('2d')
  if (!box?.parentElement || context === null) return
  const dots = devicePixelRatio
  const unit = Math.max(2, Math.floor(((box.parentElement.clientWidth - labelPixels) * dots) / side))
  box.style.width = `${(unit * side) / dots}px`
  canvas.width = unit * side
  canvas.height = unit * side
  const colours = [...shades, unused].map((shade) => colourOf(box, shade))
  for (let code = 0; code < counts.length; code++) {
    const shade = code === 0 ? shades.length : Math.min(Number(counts[code]), shades.length - 1)
    context.fillStyle = colours[shade] ?? ''
    context.fillRect((code % side) * unit, Math.floor(code / side) * unit, unit - 1, unit - 1)
  }
}

// A canvas knows no custom properties.
function colourOf(box: HTMLElement, shade: string): string {
  const probe = box.appendChild(document.createElement('i'))
  probe.style.color = shade
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
