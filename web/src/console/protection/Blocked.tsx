import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsHelper } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { AskWhy } from '../../parts/forms/AskWhy.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Entries } from '../../parts/tables/Entries.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './protection.module.css'

type Shown = WebOutput<'protection'>
type BlockedOne = Shown['blocked'][number]
type AllowedOne = Shown['allowed'][number]

export function Blocked({ shown: { blocked } }: { readonly shown: Shown }) {
  const words = useScreenWords('protection')
  return (
    <section className={css.part}>
      <h2>{words.blocked}</h2>
      {blocked.length === 0 && <p className={css.note}>{words.blockedNone}</p>}
      <Entries className={css.list}>
        {blocked.map((one) => (
          <OneBlocked key={`${one.scope} ${one.rule} ${one.serviceId}`} one={one} />
        ))}
      </Entries>
    </section>
  )
}

function OneBlocked({ one }: { readonly one: BlockedOne }) {
  const words = useScreenWords('protection')
  const formats = useFormats()
  const isHelper = useIsHelper()
  const rangeOf = useRange()
  const [asked, setAsked] = useState<'unblock' | 'allow'>()
  const range = rangeOf(one)
  const isOwn = one.ownMax !== null
  return (
    <li>
      <div>
        <b className={css.digits}>{range}</b>
        <p>{causeOf(words, one)}</p>
        <small>
          {words.since(formats.moment(one.since))},{' '}
          {one.until === null ? words.probing : words.until(formats.moment(one.until))}
          {isOwn && `. ${words.ownHint}`}
        </small>
      </div>
      {!isOwn && (
        <span className={css.rowActs}>
          <Button isSmall disabled={!isHelper} aria-label={words.unblockOf(range)} onClick={() => setAsked('unblock')}>
            {words.unblock}
          </Button>
          <AdminButton isSmall look="ghost" aria-label={words.allowOf(range)} onClick={() => setAsked('allow')}>
            {words.allow}
          </AdminButton>
        </span>
      )}
      {asked !== undefined && (
        <AskUnblock scope={one.scope} range={range} kind={asked} onClose={() => setAsked(undefined)} />
      )}
    </li>
  )
}

function causeOf(words: ReturnType<typeof useScreenWords<'protection'>>, one: BlockedOne): string {
  const { rule, serviceId, ownMax } = one
  if (rule !== 'prefix-cap') return words.causes[rule]
  return ownMax === null ? words.causes['prefix-cap'](serviceId ?? 0) : words.causes.own(serviceId ?? 0, ownMax)
}

function AskUnblock({
  scope,
  range,
  kind,
  onClose,
}: {
  readonly scope: string
  readonly range: string
  readonly kind: 'unblock' | 'allow'
  readonly onClose: () => void
}) {
  const words = useScreenWords('protection')
  return (
    <AskWhy
      change={kind === 'allow' ? 'allow-prefix' : 'unblock-prefix'}
      refreshes={['protection']}
      input={(reason) => ({ scope, reason })}
      notice={words.unblocked(range)}
      title={kind === 'allow' ? words.allowTitle(range) : words.unblockTitle(range)}
      lead={kind === 'allow' ? words.allowText : words.unblockText}
      action={kind === 'allow' ? words.allow : words.unblock}
      label={words.reason}
      hint={words.reasonHint}
      onClose={onClose}
    />
  )
}

export function Allowed({ shown: { allowed } }: { readonly shown: Shown }) {
  const words = useScreenWords('protection')
  return (
    <section className={css.part}>
      <h2>{words.allowed}</h2>
      {allowed.length === 0 && <p className={css.note}>{words.allowedNone}</p>}
      <Entries className={css.list}>
        {allowed.map((one) => (
          <OneAllowed key={one.scope} one={one} />
        ))}
      </Entries>
    </section>
  )
}

function OneAllowed({ one }: { readonly one: AllowedOne }) {
  const words = useScreenWords('protection')
  const formats = useFormats()
  const rangeOf = useRange()
  const end = useChange('end-prefix-allowance', ['protection'])
  const range = rangeOf(one)
  return (
    <li>
      <div>
        <b className={css.digits}>{range}</b>
        <p>{one.reason}</p>
        <small>
          {words.since(formats.moment(one.since))},{' '}
          {one.until === null ? words.forGood : words.until(formats.moment(one.until))}
        </small>
        <Mistake error={end.error} />
      </div>
      <AdminButton
        isSmall
        disabled={end.isPending}
        aria-label={words.endAllowanceOf(range)}
        onClick={() => end.mutate({ scope: one.scope }, { onSuccess: () => showNotice({ text: words.ended(range) }) })}
      >
        {words.endAllowance}
      </AdminButton>
    </li>
  )
}

// The digits of a range are known once a call to it was refused.
function useRange(): (one: { readonly scope: string; readonly prefix: string | null }) => string {
  const words = useScreenWords('protection')
  return ({ scope, prefix }) => {
    if (prefix !== null) return `${prefix}****`
    return /^[A-Z]{2}$/.test(scope) ? words.country(scope) : words.unknownRange
  }
}
