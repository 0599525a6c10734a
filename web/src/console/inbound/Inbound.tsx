// Inbound verifications: what waits, what came and matched nothing, and the pool of numbers that people call.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { PhoneIncoming } from 'lucide-react'
import { useFormats } from '../../formats.ts'
import { AddButton } from '../../parts/forms/AdminButton.tsx'
import { spacedNumber } from '../../parts/phone/phone-number.ts'
import { PageHead, Row, Section } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useRead } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { AddNumbers } from './AddNumbers.tsx'
import css from './inbound.module.css'
import { Pool } from './Pool.tsx'

type Shown = WebOutput<'inbound'>

export function Inbound() {
  return (
    <Loaded query={useRead('inbound')}>
      {(shown) => (shown.pool.length === 0 ? <NoPool shown={shown} /> : <Waiting shown={shown} />)}
    </Loaded>
  )
}

function NoPool({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('inbound')
  const hasTrunk = shown.trunks.length > 0
  return (
    <Empty icon={PhoneIncoming} title={words.noPool} text={hasTrunk ? words.noPoolText : words.noTrunk} isPage>
      {hasTrunk && <Add shown={shown} isFirst />}
    </Empty>
  )
}

function Waiting({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('inbound')
  return (
    <>
      <PageHead
        title={shown.openCount === 0 ? words.quiet : words.waiting(shown.openCount)}
        lead={words.lead(shown.free)}
      >
        <Add shown={shown} />
      </PageHead>
      <Open shown={shown} />
      <Unmatched unmatched={shown.unmatched} />
      <Pool pool={shown.pool} />
    </>
  )
}

function Open({ shown: { open, openCount } }: { readonly shown: Shown }) {
  const words = useScreenWords('inbound')
  const formats = useFormats()
  return (
    <Section title={words.open} lead={words.openLead}>
      {open.length === 0 && <p className={css.none}>{words.noneOpen}</p>}
      {open.map(({ id, accountId, confirmationNumber, ageSeconds, leftSeconds }) => (
        <Row
          key={id}
          title={<span className={css.digits}>{spacedNumber(String(confirmationNumber))}</span>}
          note={`${id}, ${words.account(accountId)}`}
        >
          <span className={css.digits}>
            {words.age(formats.number(ageSeconds))}, {words.left(formats.number(Math.max(0, leftSeconds)))}
          </span>
        </Row>
      ))}
      {openCount > open.length && <p className={css.none}>{words.more(openCount - open.length)}</p>}
    </Section>
  )
}

function Unmatched({ unmatched }: { readonly unmatched: Shown['unmatched'] }) {
  const words = useScreenWords('inbound')
  const formats = useFormats()
  const reasons: Readonly<Record<string, string>> = words.reasons
  return (
    <Section title={words.unmatched} lead={words.unmatchedLead}>
      {unmatched.length === 0 && <p className={css.none}>{words.noneUnmatched}</p>}
      {unmatched.map(({ trunk, reason, calls, lastAt }) => (
        <Row
          key={`${trunk} ${reason}`}
          title={reasons[reason] ?? reason}
          note={`${trunk}, ${words.lastCall(formats.moment(lastAt))}`}
        >
          <span className={css.digits}>{words.calls(calls)}</span>
        </Row>
      ))}
    </Section>
  )
}

function Add({ shown, isFirst = false }: { readonly shown: Shown; readonly isFirst?: boolean }) {
  const words = useScreenWords('inbound')
  return (
    <AddButton text={words.add} look={isFirst ? 'ink' : 'plain'} disabled={shown.trunks.length === 0}>
      {(onClose) => <AddNumbers trunks={shown.trunks} onClose={onClose} />}
    </AddButton>
  )
}
