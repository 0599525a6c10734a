import { limitedRules } from '@ringproof/contract/lists/protection.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsHelper } from '../../access.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { Button, Segments } from '../../parts/forms/Button.tsx'
import { classes } from '../../parts/text/classes.ts'
import { showNotice } from '../../parts/text/notice.ts'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Covered, Period, type PeriodDays } from './Covered.tsx'
import css from './protection.module.css'
import type { Level, LimitedRule, Limits } from './rules.ts'

type Shown = WebOutput<'protection'>

export function Levels({
  shown,
  chosen,
  onChoose,
}: {
  readonly shown: Shown
  readonly chosen: Level | undefined
  readonly onChoose: (level: Level) => void
}) {
  const words = useScreenWords('protection')
  const current = chosen ?? shown.level
  const text = current ?? (shown.isSet ? 'own' : 'config')
  return (
    <div className={css.levels}>
      <b>{words.level}</b>
      <Segments
        label={words.level}
        value={text}
        of={[
          ...shown.levels.map(({ level }) => ({ value: level, text: words.levels[level] })),
          // A level can be chosen; limits of one's own are set below.
          ...(text === 'own' || text === 'config' ? [{ value: text, text: words.levels[text] }] : []),
        ]}
        onChange={(next) => {
          const level = shown.levels.find((one) => one.level === next)
          if (level !== undefined) onChoose(level.level)
        }}
      />
      <p>{words.levelTexts[text]}</p>
    </div>
  )
}

// What the level changes, and what it would have blocked, before it is used.
export function LevelPreview({
  shown,
  level,
  onClose,
}: {
  readonly shown: Shown
  readonly level: Level
  readonly onClose: () => void
}) {
  const words = useScreenWords('protection')
  const isHelper = useIsHelper()
  const [days, setDays] = useState<PeriodDays>('7')
  const replay = useChange('replay-fraud-rules')
  const set = useChange('set-fraud-limits', ['protection'])
  const limits = shown.levels.find((one) => one.level === level)?.limits ?? shown.limits
  const changed = limitedRules.filter((rule) => limits[rule] !== shown.limits[rule])
  const candidates = limitedRules.flatMap((rule) => {
    const callsMax = limits[rule]
    return callsMax === null ? [] : [{ rule, callsMax }]
  })
  const done = () => {
    onClose()
    showNotice({ text: words.wasSet })
  }
  return (
    <section className={css.panel} aria-label={words.changes}>
      <h2>{words.changes}</h2>
      <Changes changed={changed} now={shown.limits} after={limits} />
      {replay.data && <Results replayed={replay.data} days={replay.variables.days} />}
      <div className={css.acts}>
        <Period value={days} onChange={setDays} />
        <Button
          disabled={!isHelper || replay.isPending}
          onClick={() => replay.mutate({ days: Number(days), candidates })}
        >
          {replay.isPending ? words.replaying : words.replay}
        </Button>
        <AdminButton
          look={replay.data?.calls ? 'ink' : 'plain'}
          disabled={set.isPending || changed.length === 0}
          onClick={() => set.mutate(limits, { onSuccess: done })}
        >
          {words.apply(words.levels[level])}
        </AdminButton>
        <Button look="ghost" onClick={onClose}>
          {words.close}
        </Button>
      </div>
      <Mistake error={replay.error ?? set.error} />
    </section>
  )
}

function Changes({
  changed,
  now,
  after,
}: {
  readonly changed: readonly LimitedRule[]
  readonly now: Limits
  readonly after: Limits
}) {
  const words = useScreenWords('protection')
  if (changed.length === 0) return <p className={css.note}>{words.nothingChanges}</p>
  return (
    <ul className={css.changes}>
      {changed.map((rule) => (
        <li key={rule}>
          <span>{words.names[rule]}</span>
          <span>
            <Limit rule={rule} limit={now[rule]} />
            {' → '}
            <b>
              <Limit rule={rule} limit={after[rule]} />
            </b>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Results({ replayed, days }: { readonly replayed: WebOutput<'replay-fraud-rules'>; readonly days: number }) {
  const words = useScreenWords('protection')
  return (
    <div role="status">
      <ul className={css.results}>
        {replayed.calls === 0 && (
          <li>
            {words.nothingReplayed(days)} {words.nothingReplayedLead}
          </li>
        )}
        {(replayed.calls === 0 ? [] : replayed.rules).map(({ rule, blocked, succeeded }) => (
          <li key={rule}>
            {words.byLevel(words.names[rule], blocked)}
            {blocked > 0 && (
              <>
                {', '}
                <em className={classes(succeeded === 0 && css.fine)}>{words.succeeded(succeeded)}</em>
              </>
            )}
          </li>
        ))}
      </ul>
      <Covered replayed={replayed} hasBreaker />
    </div>
  )
}

export function Limit({ rule, limit }: { readonly rule: LimitedRule; readonly limit: number | null }) {
  const words = useScreenWords('protection')
  return limit === null ? words.off : words.limits[rule](limit)
}
