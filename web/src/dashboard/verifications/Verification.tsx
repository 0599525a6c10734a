// One verification: what happened in words, then step by step, then what it cost, then the raw thing.

import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, ClipboardCopy, SearchX } from 'lucide-react'
import { useState } from 'react'
import { errorOf } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Button } from '../../parts/Button.tsx'
import { costSentence, explanationOf } from '../../parts/explain-call.ts'
import { Chip, TestTag } from '../../parts/Ring.tsx'
import { Empty, Loaded } from '../../parts/State.tsx'
import { useReadWith } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import { Facts } from './Facts.tsx'
import { Money } from './Money.tsx'
import { RepeatAsTest } from './RepeatAsTest.tsx'
import { StartRequest } from './StartRequest.tsx'
import type { Shown } from './shown.ts'
import { supportText } from './support-text.ts'
import { Timeline } from './Timeline.tsx'
import css from './verification.module.css'
import { Wire } from './Wire.tsx'

export function Verification() {
  const words = useScreenWords('verification')
  const traffic = useTraffic()
  const { id = '' } = useParams({ strict: false })
  const query = useReadWith('verification', { id })
  return (
    <>
      <Link to={dashboardAddress('verifications', traffic)} className={css.back}>
        <ArrowLeft size={15} />
        {words.back}
      </Link>
      {query.error !== null && ['not-found', 'invalid'].includes(errorOf(query.error)) ? (
        <Empty icon={SearchX} title={words.missing} text={words.missingText} isPage />
      ) : (
        <Loaded query={query}>{(shown) => <Detail shown={shown} />}</Loaded>
      )}
    </>
  )
}

function Detail({ shown }: { readonly shown: Shown }) {
  return (
    <>
      <Hero shown={shown} />
      <div className={css.grid}>
        <div className={css.stack}>
          <Timeline shown={shown} />
          <Money shown={shown} />
        </div>
        <div className={css.stack}>
          {shown.mode !== 'inbound' && <Wire shown={shown} />}
          <Facts shown={shown} />
        </div>
      </div>
      <StartRequest shown={shown} />
    </>
  )
}

function Hero({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('verification')
  const formats = useFormats()
  const { title, side, advice } = explanationOf(shown, words)
  const isOver = shown.status === 'succeeded' || shown.status === 'failed'
  return (
    <header className={css.hero}>
      <div className={css.tags}>
        {shown.isTest && <TestTag />}
        <Chip status={shown.status} />
        <span>{shown.phoneMask}</span>
        {shown.provider !== '' && <span>{[shown.provider, shown.region].filter(Boolean).join(', ')}</span>}
        <code>{shown.id}</code>
      </div>
      <h1>{title}</h1>
      <p>
        {[side, costSentence(shown, words, formats.money)].filter(Boolean).join(' ')}{' '}
        <b>{isOver ? advice || words.nothing : advice}</b>
      </p>
      <div className={css.row}>
        <CopyForSupport shown={shown} />
        <RepeatAsTest shown={shown} />
      </div>
    </header>
  )
}

function CopyForSupport({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('verification')
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(supportText(shown))
    setCopied(true)
  }
  return (
    <>
      <Button onClick={() => void copy().catch(() => undefined)}>
        <ClipboardCopy size={15} />
        {words.copy}
      </Button>
      <span role="status" className={css.copied}>
        {isCopied && words.copied}
      </span>
    </>
  )
}
