import { useFormats } from '../../formats.ts'
import { classes } from '../../parts/text/classes.ts'
import { useSells } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { TextRow } from './Controls.tsx'
import { SettingSection } from './SettingSection.tsx'
import css from './settings.module.css'
import { useSettings } from './settings-context.ts'
import { type CapName, capOf, usedOf } from './settings-data.ts'

export function Limits() {
  const words = useScreenWords('settings')
  const formats = useFormats()
  const sells = useSells()
  const { page } = useSettings()
  const { units } = words
  const used = usedOf(page)
  const cap = { emptyAs: 'none', placeholder: words.noCap, isNumber: true } as const
  return (
    <SettingSection name="limits">
      <ul className={classes(css.rows, css.limits)}>
        <TextRow name="calls-per-number-10-minutes" unit={units.verifications} isNumber />
        <TextRow name="calls-per-number-day" unit={units.verifications} isNumber />
        <TextRow
          name="verifications-hour-max"
          unit={units.verifications}
          {...cap}
          aside={<Used name="verifications-hour-max" shown={formats.number(used['verifications-hour-max'])} />}
        />
        <TextRow
          name="verifications-day-max"
          unit={units.verifications}
          {...cap}
          aside={<Used name="verifications-day-max" shown={formats.number(used['verifications-day-max'])} />}
        />
        {sells && (
          <TextRow
            name="spend-day-max"
            unit={formats.symbol}
            {...cap}
            aside={<Used name="spend-day-max" shown={formats.money(used['spend-day-max'])} />}
          />
        )}
        <TextRow name="prefix-hour-max" unit={units.calls} {...cap} />
        <li className={css.row}>
          <div>
            <b>{words.rate}</b>
            <p>{words.rateNote}</p>
          </div>
          <span className={css.control}>
            <output>{formats.number(page.requestsPerSecond)}</output> {units.requests}
          </span>
        </li>
      </ul>
      <p className={css.fine}>{words.person}</p>
    </SettingSection>
  )
}

// How much of a cap this hour or this day has used; the tick is the cap.
function Used({ name, shown }: { readonly name: CapName; readonly shown: string }) {
  const words = useScreenWords('settings')
  const { page, draft } = useSettings()
  const used = usedOf(page)[name]
  const cap = capOf(draft.texts[name])
  const isFull = cap !== undefined && used >= cap
  const share = cap === undefined ? 0 : Math.min(1, cap === 0 ? 1 : used / cap) * 80
  return (
    <span className={css.used}>
      {cap !== undefined && (
        <span className={css.track} aria-hidden="true">
          <i className={isFull ? css.full : undefined} style={{ width: `${share}%` }} />
          <b />
        </span>
      )}
      <small className={classes(isFull && css.hit)}>
        {isFull ? `${words.used(shown)}, ${words.reached}` : words.used(shown)}
      </small>
    </span>
  )
}
