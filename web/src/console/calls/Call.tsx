// One call for operators: what happened and whose side, the way it took, every leg, and the messages on the wire.

import { useParams } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useFormats } from '../../formats.ts'
import { Chip, TestTag } from '../../parts/charts/Ring.tsx'
import { buttonClass } from '../../parts/forms/Button.tsx'
import { CallHero } from '../../parts/phone/CallDetail.tsx'
import { costSentence, explanationOf } from '../../parts/phone/explain-call.ts'
import { SipFlow } from '../../parts/phone/SipFlow.tsx'
import { sipFlowMessage, withSilences } from '../../parts/phone/sip-flow-rows.ts'
import { BackLink } from '../../parts/text/Page.tsx'
import { Found } from '../../parts/text/State.tsx'
import { useReadWith, useSells } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './call.module.css'
import { Facts } from './Facts.tsx'
import { Fault } from './Fault.tsx'
import { Legs } from './Legs.tsx'
import type { ShownCall } from './shown-call.ts'
import { Way } from './Way.tsx'

const refreshMs = 5_000

export function Call() {
  const words = useScreenWords('calls')
  const { id = '' } = useParams({ strict: false })
  const query = useReadWith('call', { id }, refreshMs)
  return (
    <>
      <BackLink to="/console/calls">{words.back}</BackLink>
      <Found query={query} words={words}>
        {(shown) => <Detail shown={shown} />}
      </Found>
    </>
  )
}

function Detail({ shown }: { readonly shown: ShownCall }) {
  return (
    <>
      <Hero shown={shown} />
      <Way shown={shown} />
      <div className={css.grid}>
        <Wire shown={shown} />
        <div className={css.stack}>
          <Legs shown={shown} />
          <Facts shown={shown} />
        </div>
      </div>
    </>
  )
}

function Hero({ shown }: { readonly shown: ShownCall }) {
  const words = useScreenWords('calls')
  // The same sentences that the customer reads: support and customer speak of one thing.
  const causes = useScreenWords('verification')
  const formats = useFormats()
  const { title, side, advice } = explanationOf(shown, causes)
  const cost = useSells() ? costSentence({ ...shown, firstId: null }, causes, formats.price) : ''
  return (
    <CallHero
      phone={shown.phoneMask}
      className={css.hero}
      tags={
        <>
          {shown.isTest && <TestTag />}
          <Chip status={shown.status} />
          {shown.atFault !== null && (
            <span className={css.side}>
              {words.side}: <Fault side={shown.atFault} />
            </span>
          )}
          <span>{shown.phoneMask}</span>
          <span>{formats.dayClock(shown.acceptedAt)}</span>
          <code>{shown.id}</code>
        </>
      }
      title={title}
      text={[side, cost].filter(Boolean).join(' ')}
      advice={advice}
    >
      {shown.messages.length > 0 && (
        <div>
          <a className={buttonClass()} href={`/web/call.pcap?id=${shown.id}`} download>
            <Download size={15} />
            {words.pcap}
            <small className={css.in}>{words.pcapNote(shown.messages.length)}</small>
          </a>
        </div>
      )}
    </CallHero>
  )
}

function Wire({ shown }: { readonly shown: ShownCall }) {
  const words = useScreenWords('calls')
  const formats = useFormats()
  const { messages } = shown
  const [leg] = shown.legs
  return (
    <section className={css.wire}>
      <h2>{words.wire}</h2>
      <p>{messages.length === 0 ? words.noMessages : words.wireNote}</p>
      {messages.length > 0 && (
        <SipFlow
          rows={withSilences(messages.map(sipFlowMessage))}
          heads={[
            { name: words.stations.customer, note: shown.accountName },
            { name: 'Ringproof', note: hostOf(leg?.source) },
            { name: words.carrier, note: hostOf(leg?.destination) },
            { name: words.phone, note: shown.phoneMask },
          ]}
          words={{ label: words.wire, nothingFor: words.nothingFor, ringsFor: words.ringsFor }}
          seconds={formats.seconds}
        />
      )}
    </section>
  )
}

function hostOf(address: string | undefined): string {
  return (address ?? '').replace(/:\d+$/, '')
}
