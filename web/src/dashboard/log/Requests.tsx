import { loggedMethods, requestResults } from '@ringproof/contract/lists/requests.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Button, Segments } from '../../parts/forms/Button.tsx'
import { Options } from '../../parts/forms/Form.tsx'
import { FilterRow, SearchField } from '../../parts/tables/Filters.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useRead } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { requestIdPattern } from '../../shell/typed.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import { type LogInput, useLogFilters } from './filters.ts'
import css from './log.module.css'
import type { ListedRequest } from './log-data.ts'
import { Opened } from './Opened.tsx'

export function Requests() {
  const words = useScreenWords('log')
  const { input } = useLogFilters()
  const query = useInfiniteQuery({
    queryKey: ['api-requests', input],
    queryFn: ({ pageParam }) => call('api-requests', withBefore(input, pageParam)),
    initialPageParam: '',
    getNextPageParam: ({ before }) => before,
  })
  return (
    <section className={css.sec} id="requests" aria-label={words.requests}>
      <RequestFilters />
      <Loaded query={query}>
        {({ pages }) => {
          const rows = pages.flatMap(({ requests }) => requests)
          return rows.length === 0 ? <p className={css.nothing}>{words.nothing}</p> : <RequestTable rows={rows} />
        }}
      </Loaded>
      <div className={css.more}>
        {query.hasNextPage && (
          <Button
            disabled={query.isFetchingNextPage}
            onClick={() => {
              query.fetchNextPage().catch(() => undefined)
            }}
          >
            {words.older}
          </Button>
        )}
        <p>{words.kept}</p>
      </div>
    </section>
  )
}

function withBefore(input: LogInput, before: string): LogInput {
  return before === '' ? input : { ...input, before }
}

function RequestFilters() {
  const words = useScreenWords('log')
  const { input, change } = useLogFilters()
  const services = useRead('services').data?.services ?? []
  const { result, method, code, serviceId } = input
  return (
    <FilterRow className={css.filters} isTitled>
      <h2>{words.requests}</h2>
      <FindRequest />
      <label className={css.pick}>
        <span className="unseen">{words.method}</span>
        <select value={method ?? ''} onChange={({ target }) => change({ method: target.value })}>
          <option value="">{words.anyMethod}</option>
          <Options of={loggedMethods.map((one) => ({ value: one, text: words.methodNames(one) }))} />
        </select>
      </label>
      {services.length > 1 && (
        <label className={css.pick}>
          <span className="unseen">{words.service}</span>
          <select value={serviceId ?? ''} onChange={({ target }) => change({ service: target.value })}>
            <option value="">{words.anyService}</option>
            <Options of={services.map(({ id, name }) => ({ value: id, text: name }))} />
          </select>
        </label>
      )}
      {code !== undefined && (
        <Button onClick={() => change({ code: undefined })}>
          {words.onlyCode(code)}
          <X size={14} aria-label={words.clear} />
        </Button>
      )}
      <Segments
        label={words.result}
        value={result ?? 'all'}
        of={(['all', ...requestResults] as const).map((value) => ({ value, text: words.results[value] }))}
        onChange={(value) => change({ result: value === 'all' ? undefined : value })}
      />
    </FilterRow>
  )
}

// Opens the request as soon as a whole ID is in the field.
export function FindRequest() {
  const words = useScreenWords('log')
  const navigate = useNavigate()
  const traffic = useTraffic()
  const [text, setText] = useState('')
  const find = (typed: string) => {
    setText(typed)
    const id = typed.trim().toLowerCase()
    if (requestIdPattern.test(id)) navigate({ to: dashboardAddress(`log/${id}`, traffic) }).catch(() => undefined)
  }
  const isWrong = text.length >= 36 && !requestIdPattern.test(text.trim().toLowerCase())
  return (
    <SearchField
      label={words.find}
      value={text}
      spellCheck={false}
      autoComplete="off"
      aria-invalid={isWrong}
      title={isWrong ? words.notAnId : undefined}
      onType={find}
    />
  )
}

function RequestTable({ rows }: { readonly rows: readonly ListedRequest[] }) {
  const [open, setOpen] = useState<string>()
  const words = useScreenWords('log')
  return (
    <table className={css.table}>
      <caption className="unseen">{words.requests}</caption>
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          <th scope="col">{words.method}</th>
          <th scope="col">{words.result}</th>
          <th scope="col">
            <span className="unseen">{words.about}</span>
          </th>
          <th scope="col">{words.from}</th>
          <th scope="col">{words.id}</th>
          <th scope="col" className={css.right}>
            {words.took}
          </th>
        </tr>
      </thead>
      {rows.map((row) => (
        <RequestRow
          key={row.id}
          row={row}
          isOpen={row.id === open}
          onToggle={() => setOpen(row.id === open ? undefined : row.id)}
        />
      ))}
    </table>
  )
}

function RequestRow({
  row,
  isOpen,
  onToggle,
}: {
  readonly row: ListedRequest
  readonly isOpen: boolean
  readonly onToggle: () => void
}) {
  const words = useScreenWords('log')
  const { ms } = useWords()
  const formats = useFormats()
  const traffic = useTraffic()
  return (
    <tbody className={isOpen ? css.opened : undefined}>
      <tr className={css.row} onClick={onToggle}>
        <td className={css.time}>{formats.moment(row.at)}</td>
        <td className={css.method}>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={(event) => {
              event.stopPropagation()
              onToggle()
            }}
          >
            {words.methodNames(row.method)}
          </button>{' '}
          <small>{row.verb}</small>
        </td>
        <td className={css.result}>
          <ResultTag row={row} />
        </td>
        <td className={css.note}>
          <About row={row} />
        </td>
        <td className={css.from}>{row.address}</td>
        <td className={css.rid}>
          <Link
            to={dashboardAddress(`log/${row.id}`, traffic)}
            title={row.id}
            onClick={(event) => event.stopPropagation()}
          >
            <code>{row.id.slice(0, 8)}</code>
          </Link>
        </td>
        <td className={css.ms}>
          {row.ms} {ms}
        </td>
      </tr>
      {isOpen && (
        <tr className={css.detail}>
          <td colSpan={7}>
            <Opened id={row.id} />
          </td>
        </tr>
      )}
    </tbody>
  )
}

// The verification, or why there is none.
function About({ row }: { readonly row: ListedRequest }) {
  const { language } = useLanguage()
  const traffic = useTraffic()
  const { refusal, verificationId } = row
  if (refusal !== null) return <span className={css.fail}>{refusal.title[language]}</span>
  if (verificationId === null) return null
  return (
    <Link
      to={dashboardAddress(`verifications/${verificationId}`, traffic)}
      onClick={(event) => event.stopPropagation()}
    >
      {verificationId}
    </Link>
  )
}

export function ResultTag({ row }: { readonly row: Pick<ListedRequest, 'httpStatus' | 'refusal'> }) {
  const { httpStatus, refusal } = row
  return refusal === null ? (
    <span className={css.ok}>
      <Check size={13} strokeWidth={2.4} aria-hidden="true" />
      {httpStatus}
    </span>
  ) : (
    <span className={css.bad}>
      <X size={13} strokeWidth={2.4} aria-hidden="true" />
      {httpStatus}, {refusal.code}
    </span>
  )
}
