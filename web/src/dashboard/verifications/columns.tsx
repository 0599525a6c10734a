import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useFormats } from '../../formats.ts'
import { Chip, Covered, Digits, TestTag } from '../../parts/charts/Ring.tsx'
import type { Column } from '../../parts/tables/Table.tsx'
import { useSells } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './verifications.module.css'

type Verification = WebOutput<'verifications'>['verifications'][number]

export const columnNames = [
  'time',
  'phone',
  'code',
  'status',
  'from',
  'mode',
  'client',
  'service',
  'id',
  'rang',
  'price',
] as const
export type ColumnName = (typeof columnNames)[number]
export const usualColumns: readonly ColumnName[] = [
  'time',
  'phone',
  'code',
  'status',
  'from',
  'mode',
  'client',
  'rang',
  'price',
]

const places: Partial<Record<ColumnName, 1 | 2 | 3 | 4 | 5 | 6>> = {
  phone: 1,
  code: 2,
  status: 3,
  time: 4,
  from: 5,
  price: 6,
}
const quiet: ReadonlySet<ColumnName> = new Set(['time', 'from', 'mode', 'client', 'service', 'id', 'rang'])
const right: ReadonlySet<ColumnName> = new Set(['rang', 'price'])

export function useColumns(shown: readonly ColumnName[]): readonly Column<Verification>[] {
  const { heads } = useScreenWords('verifications')
  return withoutMoney(shown, useSells()).map((name) => {
    const narrow = places[name]
    return {
      name,
      head: heads[name],
      cell: (row) => <Cell name={name} row={row} />,
      isQuiet: quiet.has(name),
      isRight: right.has(name),
      ...(narrow === undefined ? {} : { narrow }),
    }
  })
}

export function withoutMoney(names: readonly ColumnName[], sells: boolean): readonly ColumnName[] {
  return sells ? names : names.filter((name) => name !== 'price')
}

function Cell({ name, row }: { readonly name: ColumnName; readonly row: Verification }) {
  const { seconds, mode } = useWords()
  const formats = useFormats()
  switch (name) {
    case 'time':
      return <time dateTime={new Date(row.at).toISOString()}>{formats.moment(row.at)}</time>
    case 'phone':
      return row.phoneMask
    case 'code':
      return <CodeCell row={row} />
    case 'status':
      return <StatusCell row={row} />
    case 'from':
      return (
        <>
          {row.provider === '' ? '–' : row.provider} <span className={css.soft}>{row.region}</span>
        </>
      )
    case 'mode':
      return mode[row.mode]
    case 'client':
      return <span className={css.client}>{row.client === '' ? '–' : row.client}</span>
    case 'service':
      return <span className={css.client}>{row.serviceName}</span>
    case 'id':
      return <code>{row.id}</code>
    case 'rang':
      return row.ringDelayMs === null ? '–' : `${formats.seconds(row.ringDelayMs / 1_000)}\u00a0${seconds}`
    case 'price':
      return row.charged === 0 ? <span className={css.soft}>0</span> : formats.price(row.charged)
  }
}

function CodeCell({ row: { code, isCodeHidden, status } }: { readonly row: Verification }) {
  if (isCodeHidden) return <Covered />
  if (code === null) return <span className={css.soft}>–</span>
  return status === 'ringing' ? <Digits>{code}</Digits> : <b className={css.code}>{code}</b>
}

function StatusCell({ row }: { readonly row: Verification }) {
  const { reasons } = useScreenWords('verifications')
  return (
    <span className={css.status}>
      {row.isTest && <TestTag />}
      <Chip status={row.status} />
      {row.status === 'failed' && <span className={css.why}>{reasons[whyOf(row)]}</span>}
    </span>
  )
}

type Why = keyof ReturnType<typeof useScreenWords<'verifications'>>['reasons']
const byStatus: Readonly<Record<number, Why>> = { 404: 'absent', 480: 'off', 486: 'busy', 600: 'busy', 604: 'absent' }

export function reasonText(reason: string, reasons: Readonly<Record<string, string>>): string {
  return reasons[reason] ?? reason
}

function whyOf({ reason, sipStatus }: Verification): Why {
  return (sipStatus === null ? undefined : byStatus[sipStatus]) ?? ((reason ?? 'refused') as Why)
}
