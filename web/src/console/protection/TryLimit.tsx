// A limit is tried on past calls, beside half and twice of it, and set from the same place.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useEffect, useRef, useState } from 'react'
import { useFormats } from '../../formats.ts'
import { AdminButton } from '../../parts/forms/AdminButton.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { classes } from '../../parts/text/classes.ts'
import { showNotice } from '../../parts/text/notice.ts'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { Covered, Period, type PeriodDays } from './Covered.tsx'
import css from './protection.module.css'
import { replayHeadline } from './protection-headline.ts'
import type { LimitedRule } from './rules.ts'

type Replayed = WebOutput<'replay-fraud-rules'>
type ReplayedRule = Replayed['rules'][number]

// Of a rule that is off.
const firstLimits: Readonly<Record<LimitedRule, number>> = { 'prefix-cap': 50, 'prefix-cap-all': 200, breaker: 20 }
const limitPattern = /^[1-9]\d{0,8}$/

export function TryLimit({
  rule,
  limit,
  onClose,
}: {
  readonly rule: LimitedRule
  readonly limit: number | null
  readonly onClose: () => void
}) {
  const words = useScreenWords('protection')
  const [text, setText] = useState(String(limit ?? firstLimits[rule]))
  const [days, setDays] = useState<PeriodDays>('7')
  const replay = useChange('replay-fraud-rules')
  const isGood = limitPattern.test(text)
  const panel = useRef<HTMLElement>(null)
  // On a phone the rule that was pressed may be far above.
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not.
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const start = (callsMax: number) => {
    setText(String(callsMax))
    const tried = [...new Set([Math.ceil(callsMax / 2), callsMax, callsMax * 2])]
    replay.mutate({ days: Number(days), candidates: tried.map((one) => ({ rule, callsMax: one })) })
  }
  return (
    <section ref={panel} className={css.panel} aria-label={words.tryTitle}>
      <p className={css.kicker}>{words.names[rule]}</p>
      <h2>{words.tryTitle}</h2>
      <form
        className={css.try}
        onSubmit={(event) => {
          event.preventDefault()
          if (isGood) start(Number(text))
        }}
      >
        <Field
          label={words.newLimit}
          inputMode="numeric"
          value={text}
          error={isGood ? undefined : words.newLimitHint}
          onChange={({ target }) => setText(target.value.trim())}
        />
        <Period value={days} onChange={setDays} />
        <Button type="submit" disabled={!isGood || replay.isPending}>
          {replay.isPending ? words.replaying : words.replay}
        </Button>
      </form>
      {replay.data && <Result replayed={replay.data} days={replay.variables.days} limit={Number(text)} onTry={start} />}
      <SetLimit
        rule={rule}
        limit={limit}
        next={isGood ? Number(text) : undefined}
        replayed={replay.data?.calls ? replay.data.rules.map(({ callsMax }) => callsMax) : []}
        onClose={onClose}
      />
      <Mistake error={replay.error} />
    </section>
  )
}

function SetLimit({
  rule,
  limit,
  next,
  replayed,
  onClose,
}: {
  readonly rule: LimitedRule
  readonly limit: number | null
  readonly next: number | undefined
  // The limits of which it is known what they would have done.
  readonly replayed: readonly number[]
  readonly onClose: () => void
}) {
  const words = useScreenWords('protection')
  const set = useChange('set-fraud-limits', ['protection'])
  const save = (to: number | null) =>
    set.mutate(
      { [rule]: to },
      {
        onSuccess: () => {
          onClose()
          showNotice({ text: words.wasSet })
        },
      },
    )
  return (
    <>
      <div className={css.acts}>
        {next !== undefined && (
          <AdminButton
            look={replayed.includes(next) ? 'ink' : 'plain'}
            disabled={set.isPending || next === limit}
            onClick={() => save(next)}
          >
            {(replayed.includes(next) ? words.act : words.actUnproved)[limit === null ? 'on' : 'to'](next)}
          </AdminButton>
        )}
        {limit !== null && (
          <AdminButton disabled={set.isPending} onClick={() => save(null)}>
            {words.switchOff}
          </AdminButton>
        )}
        <Button look="ghost" onClick={onClose}>
          {words.close}
        </Button>
      </div>
      <Mistake error={set.error} />
    </>
  )
}

function Result({
  replayed,
  days,
  limit,
  onTry,
}: {
  readonly replayed: Replayed
  readonly days: number
  readonly limit: number
  readonly onTry: (limit: number) => void
}) {
  const words = useScreenWords('protection')
  const shown = replayed.rules.find(({ callsMax }) => callsMax === limit) ?? replayed.rules[1] ?? replayed.rules[0]
  if (!shown) return null
  const { services, most, rule } = shown
  const { title, lead, tone } = replayHeadline(replayed, shown, days, undefined, words)
  return (
    <div className={css.result}>
      <div role="status">
        <p className={css.sentence}>
          {title}
          {lead !== undefined && (
            <>
              {tone === 'unknown' ? ' ' : ', '}
              {tone === 'unknown' ? lead : <em className={classes(tone === 'well' && css.fine)}>{lead}</em>}
            </>
          )}
        </p>
        {most !== null && <p className={css.note}>{words.most(most.blocked, services, most.serviceId)}</p>}
        <Covered replayed={replayed} hasBreaker={rule === 'breaker'} />
      </div>
      <div hidden={replayed.calls === 0}>
        <Bars replayed={replayed} rule={shown} />
        <p className={css.note}>{words.others}</p>
        <div className={css.others}>
          {replayed.rules.map((one) => (
            <button
              key={one.callsMax}
              type="button"
              aria-pressed={one.callsMax === shown.callsMax}
              title={words.tryOther(one.callsMax)}
              onClick={() => onTry(one.callsMax)}
            >
              <b>{one.callsMax}</b>
              <span>{words.otherBlocked(one.blocked)}</span>
              <span className={one.succeeded > 0 ? css.bad : css.good}>{words.otherSucceeded(one.succeeded)}</span>
            </button>
          ))}
        </div>
      </div>
    </div>
  )
}

// One bar for each part of the period: blocked calls on top of those that pass.
function Bars({
  replayed: { callParts, from, until },
  rule,
}: {
  readonly replayed: Replayed
  readonly rule: ReplayedRule
}) {
  const words = useScreenWords('protection')
  const formats = useFormats()
  const highest = Math.max(1, ...callParts)
  return (
    <>
      <ul className={css.legend}>
        <li className={css.blockedKey}>{words.blockedPart}</li>
        <li className={css.passedKey}>{words.passedPart}</li>
      </ul>
      <div className={css.bars} role="img" aria-label={words.chart}>
        {callParts.map((count, part) => {
          const blocked = rule.blockedParts[part] ?? 0
          return (
            <span key={part}>
              <i className={css.blockedBar} style={{ height: `${(blocked / highest) * 100}%` }} />
              <i style={{ height: `${((count - blocked) / highest) * 100}%` }} />
            </span>
          )
        })}
      </div>
      <div className={css.axis} aria-hidden="true">
        <span>{formats.dayClock(from)}</span>
        <span>{formats.dayClock(until)}</span>
      </div>
    </>
  )
}
