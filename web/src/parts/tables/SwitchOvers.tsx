// Traffic that was moved between trunks, why, and what an operator can do about it.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useIsAdmin } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { useChange, useReadWith } from '../../queries.ts'
import { dayMs } from '../../time.ts'
import { useLanguage, useScreenWords } from '../../words/words.ts'
import { AdminButton } from '../forms/AdminButton.tsx'
import { Toggle } from '../forms/Form.tsx'
import { classes } from '../text/classes.ts'
import { Section } from '../text/Page.tsx'
import { Loaded, Mistake } from '../text/State.tsx'
import css from './switch-overs.module.css'

type Shown = WebOutput<'switch-overs'>
type SwitchOver = Shown['switchOvers'][number]

const refreshMs = 5_000

// Only if there is something to say.
export function LatestSwitchOvers() {
  const { data } = useReadWith('switch-overs', {}, refreshMs)
  const words = useScreenWords('switch-overs')
  if (!data || data.switchOvers.length === 0) return null
  return (
    <Section title={words.title} lead={words.log}>
      <List switchOvers={data.switchOvers} />
    </Section>
  )
}

export function SwitchOvers({ trunks }: { readonly trunks: number }) {
  const words = useScreenWords('switch-overs')
  const query = useReadWith('switch-overs', {}, refreshMs)
  return (
    <Section
      title={words.title}
      lead={trunks < 2 ? words.oneTrunk : words.lead}
      action={<Automation shown={query.data} />}
    >
      <Loaded query={query}>
        {({ isOn, switchOvers }) => (
          <>
            {!isOn && <p className={css.note}>{words.off}</p>}
            {switchOvers.length === 0 ? <p className={css.note}>{words.none}</p> : <List switchOvers={switchOvers} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Automation({ shown }: { readonly shown: Shown | undefined }) {
  const words = useScreenWords('switch-overs')
  const isAdmin = useIsAdmin()
  const set = useChange('set-switch-over', ['switch-overs'])
  if (!shown) return null
  return (
    <div className={css.automation}>
      <span aria-hidden="true">{words.on}</span>
      <Toggle
        label={words.on}
        isOn={shown.isOn}
        isDisabled={!isAdmin || set.isPending}
        onChange={(isOn) => set.mutate({ isOn })}
      />
      <Mistake error={set.error} />
    </div>
  )
}

function List({ switchOvers }: { readonly switchOvers: readonly SwitchOver[] }) {
  return (
    <ul className={css.list}>
      {switchOvers.map((one) => (
        <One key={one.id} one={one} />
      ))}
    </ul>
  )
}

function One({ one }: { readonly one: SwitchOver }) {
  const words = useScreenWords('switch-overs')
  const { language } = useLanguage()
  const clock = useClock()
  const says = useSwitchOverSentence()
  const takeBack = useChange('take-back-switch-over', ['switch-overs'])
  const pin = useChange('pin-switch-over', ['switch-overs'])
  const country = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(one.country) ?? one.country
  const isActive = one.endedAt === null
  const isBusy = takeBack.isPending || pin.isPending
  return (
    <li className={classes(css.one, isActive && css.active)}>
      <div>
        <b>
          {one.provider || words.unknown}, {country}
        </b>
        <p>{says(one)}</p>
        <small>
          {isActive ? stateOf(one, words, clock) : words.ends[one.end ?? 'recovered'](clock(one.endedAt ?? 0))}
        </small>
      </div>
      {isActive && (
        <div className={css.acts}>
          <AdminButton isSmall disabled={isBusy} onClick={() => takeBack.mutate({ id: one.id })}>
            {words.takeBack}
          </AdminButton>
          <AdminButton isSmall disabled={isBusy} onClick={() => pin.mutate({ id: one.id, isPinned: !one.isPinned })}>
            {one.isPinned ? words.unpin : words.keep(one.to)}
          </AdminButton>
          <Mistake error={takeBack.error ?? pin.error} />
        </div>
      )}
    </li>
  )
}

// With the day, if it was not within the last one.
function useClock(): (ms: number) => string {
  const formats = useFormats()
  return (ms) => (Date.now() - ms < dayMs ? formats.clock : formats.dayClock)(ms)
}

// "Moved from A to B at 14:05: ring-through 41% against 93%".
export function useSwitchOverSentence(): (one: SwitchOver) => string {
  const words = useScreenWords('switch-overs')
  const formats = useFormats()
  const clock = useClock()
  const percent = ({ dialled, rang }: SwitchOver['fromCount']) =>
    formats.percent(dialled === 0 ? 0 : Math.round((rang / dialled) * 100) / 100)
  return ({ from, to, since, movedAt, endedAt, fromCount, toCount, usual }) => {
    const what =
      movedAt !== null
        ? words.moved(from, to, clock(movedAt))
        : (endedAt === null ? words.tried : words.wasTried)(to, from, clock(since))
    const shares =
      toCount.dialled > 0 ? words.shares(percent(fromCount), percent(toCount)) : words.share(percent(fromCount))
    const before = usual === null ? '' : `, ${words.usual(formats.percent(Math.round(usual * 100) / 100))}`
    return `${what}: ${shares}${before}`
  }
}

function stateOf(
  { phase, from, to, isPinned, isPaused, recoveredSince, holdMs }: SwitchOver,
  { state }: ReturnType<typeof useScreenWords<'switch-overs'>>,
  clock: (ms: number) => string,
): string {
  if (isPinned) return isPaused ? state.paused(to) : state.pinned(to)
  if (phase === 'trial') return state.trial(to)
  return recoveredSince === null ? state.probing(from) : state.recovering(from, clock(recoveredSince + holdMs))
}
