import { fraudRules } from '@ringproof/contract/lists/protection.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Fragment } from 'react'
import { useIsHelper } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { classes } from '../../parts/text/classes.ts'
import { useScreenWords } from '../../words/words.ts'
import { Limit } from './Levels.tsx'
import css from './protection.module.css'
import { type LimitedRule, limitedRule } from './rules.ts'
import { TryLimit } from './TryLimit.tsx'

type Shown = WebOutput<'protection'>
type Rule = Shown['rules'][number]

export function Rules({
  shown,
  chosen,
  onChange,
  onClose,
}: {
  readonly shown: Shown
  readonly chosen: LimitedRule | undefined
  readonly onChange: (rule: LimitedRule) => void
  readonly onClose: () => void
}) {
  const words = useScreenWords('protection')
  const rules = fraudRules.flatMap((name) => shown.rules.filter(({ rule }) => rule === name))
  return (
    <section className={css.rules}>
      <h2>{words.rules}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.rule}</th>
            <th scope="col">{words.limit}</th>
            <th scope="col" className={css.right}>
              {words.hitsDay}
            </th>
            <th scope="col" className={css.right}>
              {words.hitsWeek}
            </th>
            <th scope="col" className={css.right}>
              {words.lastHit}
            </th>
            <th scope="col">
              <span className="unseen">{words.change}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <Fragment key={rule.rule}>
              <OneRule shown={shown} rule={rule} isChosen={rule.rule === chosen} onChange={onChange} />
              {chosen !== undefined && rule.rule === chosen && (
                <tr className={css.opened}>
                  <td colSpan={6}>
                    <TryLimit rule={chosen} limit={shown.limits[chosen]} onClose={onClose} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function OneRule({
  shown,
  rule: { rule, hitsDay, hitsWeek, lastAt },
  isChosen,
  onChange,
}: {
  readonly shown: Shown
  readonly rule: Rule
  readonly isChosen: boolean
  readonly onChange: (rule: LimitedRule) => void
}) {
  const words = useScreenWords('protection')
  const formats = useFormats()
  const isHelper = useIsHelper()
  const limited = limitedRule(rule)
  const isOff = limited !== undefined && shown.limits[limited] === null
  const fixed = rule === 'service-cap' || rule === 'quiet-hours' ? words.byService : words.always
  return (
    <tr className={classes(isChosen && css.chosen, isOff && css.isOff)}>
      <th scope="row">
        <b>{words.names[rule]}</b>
        <small>{words.notes[rule]}</small>
      </th>
      <td>{limited === undefined ? fixed : <Limit rule={limited} limit={shown.limits[limited]} />}</td>
      <td className={css.right} data-label={words.hitsDay}>
        {formats.number(hitsDay)}
      </td>
      <td className={css.right} data-label={words.hitsWeek}>
        {formats.number(hitsWeek)}
      </td>
      <td className={classes(css.right, css.quiet)} data-label={words.lastHit}>
        {lastAt === null ? words.never : formats.moment(lastAt)}
      </td>
      <td className={css.right}>
        {limited !== undefined && isHelper && (
          <Button isSmall aria-label={words.changeOf(words.names[rule])} onClick={() => onChange(limited)}>
            {words.change}
          </Button>
        )}
      </td>
    </tr>
  )
}
