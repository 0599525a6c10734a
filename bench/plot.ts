// Draws SVG plots without a library, in colours that are readable on white and on black.

type Series = {
  readonly name: string
  readonly colour: 'blue' | 'orange' | 'green' | 'grey'
  readonly isDashed?: boolean
  readonly points: readonly (readonly [x: number, y: number])[]
}

type Axis = { readonly title: string; readonly ticks: readonly number[]; readonly isLog?: boolean }

const colours = { blue: '#3b82f6', orange: '#e8743b', green: '#2da44e', grey: '#8b949e' } as const
const width = 720
const style = `<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 15px }
.grid { stroke: #8b949e; stroke-opacity: 0.3 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }
</style>`

// Several curves on one pair of axes.
export function curves(title: string, xAxis: Axis, yAxis: Axis, series: readonly Series[]): string {
  const [left, top, right, bottom] = [64, 56, width - 24, 330]
  const x = scale(xAxis, left, right)
  const y = scale(yAxis, bottom, top)
  const across = yAxis.ticks.map(
    (tick) =>
      `<line class="grid" x1="${left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/>` +
      text(left - 8, y(tick) + 4, short(tick), 'end'),
  )
  const along = xAxis.ticks.map((tick) => text(x(tick), bottom + 20, short(tick), 'middle'))
  const drawn = series.map(({ colour, isDashed, points }) => {
    const path = points.map(([px, py]) => `${x(px)},${y(py)}`).join(' ')
    const dots = isDashed ? [] : points.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="3.5"/>`)
    const dash = isDashed ? ' stroke-dasharray="6 5"' : ''
    const line = `<polyline points="${path}" fill="none" stroke="${colours[colour]}" stroke-width="2"${dash}/>`
    return `<g fill="${colours[colour]}">${line}${dots.join('')}</g>`
  })
  return frame(bottom + 52, [
    text(left - 40, 22, title, 'start', 'title'),
    ...legend(series, left, 42),
    ...across,
    ...along,
    text((left + right) / 2, bottom + 42, xAxis.title, 'middle'),
    `<g transform="translate(16 ${(top + bottom) / 2}) rotate(-90)">${text(0, 0, yAxis.title, 'middle')}</g>`,
    ...drawn,
  ])
}

type Bar = { readonly name: string; readonly figure: number; readonly goal: number | null }

// The distance of each ratio from its goal, on a logarithmic scale. A ratio without a goal is only a dot.
export function ratios(title: string, bars: readonly Bar[]): string {
  const [left, top, rowHeight] = [330, 64, 30]
  const ticks = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32]
  const bottom = top + bars.length * rowHeight
  const x = scale({ title: '', ticks, isLog: true }, left, width - 60)
  const rows = bars.flatMap(({ name, figure, goal }, row) => {
    const y = top + (row + 0.5) * rowHeight
    const isMet = goal === null || figure >= goal
    const colour = colours[goal === null ? 'grey' : isMet ? 'green' : 'orange']
    const mark = `<line x1="${x(goal ?? 1)}" x2="${x(goal ?? 1)}" y1="${y - 9}" y2="${y + 9}" stroke="${colours.blue}" stroke-width="3"/>`
    return [
      text(left - 16, y + 4, name, 'end'),
      goal === null ? '' : mark,
      `<line x1="${x(goal ?? figure)}" x2="${x(figure)}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="4"/>`,
      `<circle cx="${x(figure)}" cy="${y}" r="6" fill="${colour}"/>`,
      text(Math.max(x(figure), x(goal ?? figure)) + 12, y + 4, figure.toPrecision(2), 'start'),
    ]
  })
  const grid = ticks.map(
    (tick) =>
      `<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="${top}" y2="${bottom}"/>` +
      text(x(tick), bottom + 20, short(tick), 'middle'),
  )
  const key = 'dot: measured (green: reached, orange: not, grey: no goal) · blue mark: goal'
  return frame(bottom + 36, [text(24, 22, title, 'start', 'title'), text(24, 44, key, 'start'), ...grid, ...rows])
}

type Part = { readonly name: string; readonly figure: number; readonly colour: Series['colour'] }

// One stacked bar.
export function parts(title: string, unit: string, all: readonly Part[]): string {
  const [left, right, top] = [24, width - 24, 40]
  const total = all.reduce((sum, { figure }) => sum + figure, 0)
  let at = left
  const drawn = all.flatMap(({ name, figure, colour }, row) => {
    const length = ((right - left) * figure) / total
    const bar = `<rect x="${at}" y="${top}" width="${Math.max(0, length - 2)}" height="34" fill="${colours[colour]}" rx="2"/>`
    at += length
    const y = top + 62 + row * 22
    const key = `<rect x="${left}" y="${y - 11}" width="13" height="13" fill="${colours[colour]}" rx="2"/>`
    return [bar, key, text(left + 22, y, `${name}: ${figure.toPrecision(2)} ${unit}`, 'start')]
  })
  return frame(top + 62 + all.length * 22, [text(left, 22, title, 'start', 'title'), ...drawn])
}

function frame(height: number, content: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`
  return `${[head, style, ...content, '</svg>'].filter(Boolean).join('\n')}\n`
}

function scale({ ticks, isLog }: Axis, from: number, to: number): (value: number) => number {
  const as = (value: number) => (isLog ? Math.log(value) : value)
  const [low, high] = [as(Math.min(...ticks)), as(Math.max(...ticks))]
  return (value) => {
    const part = Math.min(1, Math.max(0, (as(value) - low) / (high - low)))
    return Math.round((from + part * (to - from)) * 10) / 10
  }
}

function legend(series: readonly Series[], left: number, y: number): string[] {
  const step = 150
  return series.flatMap(({ name, colour, isDashed }, index) => [
    `<line x1="${left + index * step}" x2="${left + index * step + 22}" y1="${y - 4}" y2="${y - 4}" stroke="${colours[colour]}" stroke-width="2"${isDashed ? ' stroke-dasharray="6 5"' : ''}/>`,
    text(left + index * step + 28, y, name, 'start'),
  ])
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end', kind = ''): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}"${kind === '' ? '' : ` class="${kind}"`}>${content}</text>`
}

function short(value: number): string {
  return value >= 1000 ? `${value / 1000}k` : String(value)
}
