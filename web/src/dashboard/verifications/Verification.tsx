// One verification: what happened in words, then step by step, then what it cost, then the raw thing.

import { useParams } from '@tanstack/react-router'
import { ClipboardCopy } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Chip, TestTag } from '../../parts/charts/Ring.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { CallHero } from '../../parts/phone/CallDetail.tsx'
import { costSentence, explanationOf } from '../../parts/phone/explain-call.ts'
import { BackLink } from '../../parts/text/Page.tsx'
import { Found } from '../../parts/text/State.tsx'
import { useReadWith, useSells } from '../../queries.ts'
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
      <BackLink to={dashboardAddress('verifications', traffic)}>{words.back}</BackLink>
      <Found query={query} words={words}>
        {(shown) => <Detail shown={shown} />}
      </Found>
    </>
  )
}

function Detail({ shown }: { readonly shown: Shown }) {
  const sells = useSells()
  return (
    <>
      <Hero shown={shown} />
      <div className={css.grid}>
        <div className={css.stack}>
          <Timeline shown={shown} />
          {sells && <Money shown={shown} />}
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
  const sells = useSells()
  const { title, side, advice } = explanationOf(shown, words)
  const isOver = shown.status === 'succeeded' || shown.status === 'failed'
  return (
    <CallHero
      phone={shown.phoneMask}
      className={css.hero}
      tags={
        <>
          {shown.isTest && <TestTag />}
          <Chip status={shown.status} />
          <span>{shown.phoneMask}</span>
          {shown.provider !== '' && <span>{[shown.provider, shown.region].filter(Boolean).join(', ')}</span>}
          <code>{shown.id}</code>
        </>
      }
      title={title}
      text={[side, sells && costSentence(shown, words, formats.price)].filter(Boolean).join(' ')}
      advice={isOver ? advice || words.nothing : advice}
    >
      <div className={css.row}>
        <CopyForSupport shown={shown} />
        <RepeatAsTest shown={shown} />
      </div>
    </CallHero>
  )
}

function CopyForSupport({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('verification')
  const { currency } = useFormats()
  const sells = useSells()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(supportText(shown, sells ? currency : undefined))
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
