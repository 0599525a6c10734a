import { useFormats } from '../../formats.ts'
import { classes } from '../../parts/text/classes.ts'
import { Loaded } from '../../parts/text/State.tsx'
import { useRead } from '../../queries.ts'
import { useLanguage, useScreenWords } from '../../words/words.ts'
import css from './routing.module.css'

// The trunks as calls try them.
export function Order({ chosen }: { readonly chosen: string | undefined }) {
  const words = useScreenWords('routing')
  const { language } = useLanguage()
  const formats = useFormats()
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })
  const served = (countries: readonly string[]) =>
    countries.includes('*') ? words.everything : countries.map((country) => names.of(country) ?? country).join(', ')
  return (
    <section>
      <h2>{words.order}</h2>
      <Loaded query={useRead('routing')}>
        {({ trunks, stop }) => (
          <>
            {stop !== null && <p className={css.stopped}>{words.stopped(stop)}</p>}
            <p className={css.note}>
              {trunks.length === 0 ? words.noTrunks : trunks.length === 1 ? words.orderOne : words.orderNote}
            </p>
            <ol className={css.rules}>
              {trunks.map(({ name, isOn, countries, numbers, priority }, index) => (
                <li key={name} className={classes(name === chosen && css.hit, !isOn && css.out)}>
                  <span className={css.place}>{index + 1}</span>
                  <div>
                    <b>{isOn ? name : `${name}, ${words.off}`}</b>
                    <p>{served(countries)}</p>
                    <small>
                      {words.numbers(formats.number(numbers))}, {words.heads.priority.toLowerCase()} {priority}
                    </small>
                  </div>
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </section>
  )
}
