// One trunk: whether it carries calls and why not, what it carried, its limits, and what its carrier's support desk asks for.

import type { trunkUses } from '@ringproof/contract/lists/trunks.ts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Figures } from '../../parts/charts/Charts.tsx'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { Ask } from '../../parts/forms/Ask.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { reasonOf, StateChip } from '../../parts/phone/TrunkState.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { BackLink, Section } from '../../parts/text/Page.tsx'
import { Empty, Loaded, Mistake } from '../../parts/text/State.tsx'
import { useChange, useLiveRead } from '../../queries.ts'
import { useSubject } from '../../shell/page-title.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { Connection } from './Connection.tsx'
import { ForCarrier } from './ForCarrier.tsx'
import { Limits } from './Limits.tsx'
import { Meter } from './Meter.tsx'
import { TestCall } from './TestCall.tsx'
import { TrunkLog } from './TrunkLog.tsx'
import { healthMs, isBad, type ShownTrunk, shareRung } from './trunk.ts'
import css from './trunks.module.css'

export function Trunk() {
  const words = useScreenWords('trunks')
  const { name = '' }: { name?: string } = useParams({ strict: false })
  useSubject(name)
  return (
    <>
      <BackLink to="/console/trunks" isUnderlined>
        {words.back}
      </BackLink>
      <Loaded query={useLiveRead('trunks', healthMs)}>
        {({ trunks }) => {
          const trunk = trunks.find((one) => one.name === name)
          if (trunk === undefined) return <Empty icon={SearchX} title={words.missing} text={words.missingText} isPage />
          return <Detail trunk={trunk} isOnly={trunks.filter(({ isOn, isTest }) => isOn && !isTest).length === 1} />
        }}
      </Loaded>
    </>
  )
}

function Detail({ trunk, isOnly }: { readonly trunk: ShownTrunk; readonly isOnly: boolean }) {
  const words = useScreenWords('trunks')
  return (
    <>
      <Hero trunk={trunk} isOnly={isOnly} />
      <Facts trunk={trunk} />
      <div className={css.two}>
        <div>
          <Section title={words.test} lead={trunk.isTest ? words.call.leadTest : words.call.lead}>
            <div className={css.pad}>
              <TestCall trunk={trunk} />
            </div>
          </Section>
          <Limits key={`${trunk.channels} ${trunk.callsPerSecond}`} trunk={trunk} />
          <Refusals trunk={trunk} />
        </div>
        <div>
          <ForCarrier trunk={trunk} />
          <TrunkLog name={trunk.name} />
        </div>
      </div>
    </>
  )
}

function Hero({ trunk, isOnly }: { readonly trunk: ShownTrunk; readonly isOnly: boolean }) {
  const words = useScreenWords('trunks')
  const formats = useFormats()
  const advice = words.advice[trunk.health.cause]
  return (
    <header className={css.hero}>
      <div className={css.line}>
        <h1>{trunk.name}</h1>
        <StateChip state={trunk.health.state} />
      </div>
      <p className={isBad(trunk) ? css.is : undefined}>
        {reasonOf(trunk.health, words, formats)} {advice !== '' && <b>{advice}</b>}
      </p>
      <Use trunk={trunk} isOnly={isOnly} />
    </header>
  )
}

// What can be done with it now.
function Use({ trunk, isOnly }: { readonly trunk: ShownTrunk; readonly isOnly: boolean }) {
  const words = useScreenWords('trunks')
  const use = useChange('use-trunk', ['trunks', 'trunk-log'])
  const [open, setOpen] = useState<'off' | 'edit' | 'remove'>()
  const { name } = trunk
  const close = () => setOpen(undefined)
  const set = (to: (typeof trunkUses)[number], text: string) =>
    use.mutate(
      { name, use: to },
      {
        onSuccess: () => {
          close()
          showNotice({ text })
        },
      },
    )
  const isTaking = trunk.isOn && !trunk.isDraining
  return (
    <>
      <div className={css.buttons}>
        {!isTaking && (
          <AdminButton look="ink" disabled={use.isPending} onClick={() => set('on', words.used(name))}>
            {words.use}
          </AdminButton>
        )}
        <AdminButton
          look={trunk.health.cause === 'wrong-password' ? 'ink' : 'plain'}
          disabled={use.isPending}
          onClick={() => setOpen('edit')}
        >
          {words.edit}
        </AdminButton>
        {isTaking && (
          <AdminButton disabled={use.isPending} onClick={() => set('drain', words.drained(name))}>
            {words.drain}
          </AdminButton>
        )}
        {trunk.isOn ? (
          <AdminButton disabled={use.isPending} onClick={() => setOpen('off')}>
            {words.disable}
          </AdminButton>
        ) : (
          <AdminButton look="danger" disabled={use.isPending} onClick={() => setOpen('remove')}>
            {words.remove}
          </AdminButton>
        )}
      </div>
      <Mistake error={open === undefined ? use.error : null} />
      {open === 'off' && (
        <Ask
          title={words.disableTitle(name)}
          lead={isOnly ? `${words.disableText} ${words.onlyTrunk}` : words.disableText}
          action={words.disable}
          isDangerous
          isBusy={use.isPending}
          error={use.error}
          onDo={() => set('off', words.disabled(name))}
          onClose={close}
        />
      )}
      {open === 'edit' && <Connection trunk={trunk} onClose={close} />}
      {open === 'remove' && <Remove trunk={trunk} onClose={close} />}
    </>
  )
}

function Remove({
  trunk: { name, callerNumbers },
  onClose,
}: {
  readonly trunk: ShownTrunk
  readonly onClose: () => void
}) {
  const words = useScreenWords('trunks')
  const formats = useFormats()
  const navigate = useNavigate()
  return (
    <AskChange
      change="remove-trunk"
      refreshes={['trunks']}
      input={{ name, isWithNumbers: true }}
      onDone={() => {
        navigate({ to: '/console/trunks' }).catch(() => undefined)
      }}
      notice={words.removed(name)}
      title={words.removeTitle(name)}
      lead={words.removeText(formats.number(callerNumbers))}
      action={words.remove}
      isDangerous
      onClose={onClose}
    />
  )
}

function Facts({ trunk }: { readonly trunk: ShownTrunk }) {
  const words = useScreenWords('trunks')
  const { ms, seconds } = useWords()
  const formats = useFormats()
  const { figures } = words
  const { calls, rttMs, channels, callsPerSecond, activeCalls, startedPerSecond } = trunk
  const rang = shareRung(trunk)
  const pdd = calls.postDialMsP95
  return (
    <>
      <Figures
        of={[
          {
            name: figures.rang,
            value: rang === undefined ? figures.none : formats.percent(rang),
            note: figures.rangNote(formats.number(calls.dialled)),
          },
          { name: figures.pdd, value: pdd === null ? figures.none : `${formats.seconds(pdd / 1_000)}\u00a0${seconds}` },
          { name: figures.answered, value: formats.number(calls.answered), note: figures.answeredNote },
          { name: figures.rtt, value: rttMs === null ? figures.none : `${formats.number(rttMs)}\u00a0${ms}` },
        ]}
      />
      <div className={css.meters}>
        <Meter name={words.lines} value={activeCalls} limit={channels} />
        <Meter name={words.perSecond} value={startedPerSecond} limit={callsPerSecond} />
      </div>
    </>
  )
}

function Refusals({ trunk: { calls } }: { readonly trunk: ShownTrunk }) {
  const words = useScreenWords('trunks')
  const formats = useFormats()
  return (
    <Section title={words.refusals}>
      {calls.refusals.length === 0 ? (
        <p className={css.pad}>{words.refusalsNone}</p>
      ) : (
        <dl className={css.codes}>
          {calls.refusals.map(({ status, calls: count }) => (
            <div key={status ?? 0}>
              <dt>{status === null ? words.noReply : words.sip(status)}</dt>
              <dd>{formats.number(count)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  )
}
