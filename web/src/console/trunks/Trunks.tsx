// All trunks: the sentence that says whether calls go through, then one line each, the worst first.

import { Link } from '@tanstack/react-router'
import { Cable, Plus } from 'lucide-react'
import { useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import type { Said } from '../../headline.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { StopCalls } from '../../parts/forms/StopCalls.tsx'
import { reasonOf, StateChip } from '../../parts/phone/TrunkState.tsx'
import { classes } from '../../parts/text/classes.ts'
import { PageHeadline, useLost } from '../../parts/text/Headline.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Empty, Loaded, Mistake } from '../../parts/text/State.tsx'
import { useChange, useLiveRead } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Meter } from './Meter.tsx'
import { Order } from './Order.tsx'
import { healthMs, isBad, type ShownTrunk, shareRung, type TrunksPage, worstFirst } from './trunk.ts'
import css from './trunks.module.css'
import { trunksHeadline } from './trunks-headline.ts'

const faultsMs = 15_000

export function Trunks() {
  const query = useLiveRead('trunks', healthMs)
  const lost = useLost(query)
  return <Loaded query={query}>{(page) => <Page page={page} lost={lost} />}</Loaded>
}

function Page({ page, lost }: { readonly page: TrunksPage; readonly lost: Said | undefined }) {
  const words = useScreenWords('trunks')
  const formats = useFormats()
  const faults = useLiveRead('wallboard', faultsMs).data?.faults?.map(({ cause }) => cause)
  const isAdmin = useIsAdmin()
  const [isStopping, setStopping] = useState(false)
  const { trunks, stop } = page
  const add = (
    <Link className={buttonClass(trunks.length === 0 ? 'ink' : 'plain')} to="/console/trunks/add" disabled={!isAdmin}>
      <Plus size={15} />
      {trunks.length === 1 ? words.addSecond : words.add}
    </Link>
  )
  if (trunks.length === 0) {
    return (
      <Empty icon={Cable} title={words.none} text={words.noneText} isPage>
        {add}
      </Empty>
    )
  }
  return (
    <>
      <PageHeadline headline={trunksHeadline(page, faults, lost, words, formats)}>{add}</PageHeadline>
      {stop !== null && <Stopped stop={stop} />}
      <div>
        {worstFirst(trunks).map((trunk) => (
          <TrunkLine key={trunk.name} trunk={trunk} />
        ))}
      </div>
      {trunks.length > 1 && <Order names={trunks.map(({ name }) => name)} />}
      {stop === null && (
        <p className={css.foot}>
          <AdminButton isSmall look="ghost" onClick={() => setStopping(true)}>
            {words.stop.action}
          </AdminButton>
        </p>
      )}
      {isStopping && <StopCalls words={words.stop} onClose={() => setStopping(false)} />}
    </>
  )
}

function Stopped({ stop }: { readonly stop: { readonly reason: string } }) {
  const words = useScreenWords('trunks')
  const isAdmin = useIsAdmin()
  const resume = useChange('resume-trunks', ['trunks'])
  return (
    <div className={css.stopped} role="alert">
      <p>{words.stopped(stop.reason)}</p>
      <Button
        look="ink"
        disabled={!isAdmin || resume.isPending}
        onClick={() => resume.mutate({}, { onSuccess: () => showNotice({ text: words.resumed }) })}
      >
        {words.resume}
      </Button>
      <Mistake error={resume.error} />
    </div>
  )
}

function TrunkLine({ trunk }: { readonly trunk: ShownTrunk }) {
  const words = useScreenWords('trunks')
  const formats = useFormats()
  const { name, address, transport, health, channels, callsPerSecond, activeCalls, startedPerSecond } = trunk
  const rang = shareRung(trunk)
  const advice = words.advice[health.cause]
  return (
    <article className={css.trunk}>
      <div className={css.line}>
        <h2>
          <Link to={`/console/trunks/${name}`}>{name}</Link>
        </h2>
        <code>{[address, transport].filter(Boolean).join(' · ')}</code>
        <StateChip state={health.state} />
      </div>
      <p className={classes(css.reason, isBad(trunk) && css.is)}>
        {reasonOf(trunk.health, words, formats)} {advice !== '' && <b>{advice}</b>}
      </p>
      <div className={css.meters}>
        <Meter name={words.lines} value={activeCalls} limit={channels} />
        <Meter name={words.perSecond} value={startedPerSecond} limit={callsPerSecond} />
        <div className={css.meter}>
          <small>
            <span>{words.rang}</span>
            <b>{rang === undefined ? words.figures.none : formats.percent(rang)}</b>
          </small>
        </div>
      </div>
    </article>
  )
}
