import { useEffect, useState } from 'react'
import { Ask } from '../../parts/forms/Ask.tsx'
import { Segments } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { useCountryName } from './code-list.ts'
import css from './codes.module.css'
import { CodeRows } from './ImportNumbers.tsx'

const dayChoices = ['none', '1', '7', '30'] as const
const reads = ['caller-numbers', 'caller-use'] as const
const numberPattern = /^[1-9]\d{6,14}$/

// Takes numbers of a range out of use, or removes them. What it costs in codes stands above the button.
export function TakeOut({
  range,
  kind,
  onClose,
}: {
  readonly range: { readonly trunk: string; readonly first: number; readonly last: number }
  readonly kind: 'quarantine' | 'remove'
  readonly onClose: () => void
}) {
  const words = useScreenWords('caller-numbers')
  const { trunk } = range
  const [ends, setEnds] = useState({ first: String(range.first), last: String(range.last) })
  const [rest, setRest] = useState<Rest>({ reason: '', days: 'none' })
  const quarantine = useChange('quarantine-caller-numbers', reads)
  const remove = useChange('remove-caller-numbers', reads)
  const isGood = isSpan(ends)
  const span = { trunk, first: Number(ends.first), last: Number(ends.last) }
  const preview = usePreview(trunk, ends, isGood)
  const count = preview.data?.numbers ?? 0
  const isQuarantine = kind === 'quarantine'
  const finish = (text: string) => () => {
    onClose()
    showNotice({ text })
  }
  const submit = () => {
    if (isQuarantine)
      quarantine.mutate(
        { ...span, reason: rest.reason.trim(), days: rest.days === 'none' ? null : Number(rest.days) },
        { onSuccess: finish(words.wasTakenOut(count)) },
      )
    else remove.mutate(span, { onSuccess: finish(words.removed(count)) })
  }
  return (
    <Ask
      title={isQuarantine ? words.outTitle : words.removeTitle}
      lead={isQuarantine ? words.outLead : words.removeLead(trunk)}
      action={isQuarantine ? words.outAct(count) : words.removeAct(count)}
      isDangerous={!isQuarantine}
      isReady={isGood && count > 0 && (!isQuarantine || rest.reason.trim() !== '')}
      isBusy={quarantine.isPending || remove.isPending}
      error={preview.error ?? quarantine.error ?? remove.error}
      onDo={submit}
      onClose={onClose}
    >
      <EndFields ends={ends} isGood={isGood} onChange={setEnds} />
      {isQuarantine && <WhyAndHowLong rest={rest} onChange={setRest} />}
      {preview.data && <Lost numbers={count} lost={preview.data.lost} />}
    </Ask>
  )
}

type Ends = { readonly first: string; readonly last: string }
type Rest = { readonly reason: string; readonly days: (typeof dayChoices)[number] }

function isSpan({ first, last }: Ends): boolean {
  if (!numberPattern.test(first) || !numberPattern.test(last)) return false
  return first.length === last.length && Number(first) <= Number(last)
}

// What is lost, read again with every change of the ends.
function usePreview(trunk: string, { first, last }: Ends, isGood: boolean) {
  const preview = useChange('preview-number-removal')
  const { mutate, reset } = preview
  useEffect(() => {
    if (isGood) mutate({ trunk, first: Number(first), last: Number(last) })
    else reset()
  }, [isGood, trunk, first, last, mutate, reset])
  return preview
}

function EndFields({
  ends,
  isGood,
  onChange,
}: {
  readonly ends: Ends
  readonly isGood: boolean
  readonly onChange: (ends: Ends) => void
}) {
  const words = useScreenWords('caller-numbers')
  const end = (name: keyof Ends) => ({
    inputMode: 'numeric' as const,
    isCode: true,
    value: ends[name],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...ends, [name]: target.value.replaceAll(/\D/g, '') }),
  })
  return (
    <div className={css.pair}>
      <Field label={words.first} isFirst {...end('first')} />
      <Field label={words.last} error={isGood ? undefined : words.badRange} {...end('last')} />
    </div>
  )
}

function WhyAndHowLong({ rest, onChange }: { readonly rest: Rest; readonly onChange: (rest: Rest) => void }) {
  const words = useScreenWords('caller-numbers')
  return (
    <>
      <Field
        label={words.reason}
        hint={words.reasonHint}
        maxLength={200}
        value={rest.reason}
        onChange={({ target }) => onChange({ ...rest, reason: target.value })}
      />
      <Segments
        label={words.howLong}
        value={rest.days}
        of={dayChoices.map((value) => ({
          value,
          text: value === 'none' ? words.untilBack : words.forDays(Number(value)),
        }))}
        onChange={(days) => onChange({ ...rest, days })}
      />
    </>
  )
}

type LostCodes = {
  readonly country: string
  readonly count: number
  readonly codes: readonly { readonly first: string; readonly last: string }[]
}

function Lost({ numbers, lost }: { readonly numbers: number; readonly lost: readonly LostCodes[] }) {
  const words = useScreenWords('caller-numbers')
  const nameOf = useCountryName()
  const hit = lost.filter(({ count }) => count > 0)
  return (
    <div className={css.preview} role="status">
      {numbers === 0 && words.noSuch}
      {numbers > 0 && hit.length === 0 && words.losesNone}
      <ul>
        {hit.map(({ country, count, codes }) => (
          <li key={country} className={css.loses}>
            {words.loses(count, nameOf(country))} <CodeRows rows={codes} />
          </li>
        ))}
      </ul>
    </div>
  )
}
