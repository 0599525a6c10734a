import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useFormats } from '../../formats.ts'
import { Entries } from '../../parts/tables/Entries.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './protection.module.css'

export function Hits({ shown: { hits } }: { readonly shown: WebOutput<'protection'> }) {
  const words = useScreenWords('protection')
  const formats = useFormats()
  return (
    <section className={css.part}>
      <h2>{words.hits}</h2>
      {hits.length === 0 && <p className={css.note}>{words.hitsNone}</p>}
      <Entries className={css.list}>
        {hits.map(({ at, rule, serviceId, prefix, hits: count }) => (
          <li key={`${at} ${rule} ${serviceId} ${prefix}`}>
            <div>
              <b className={css.digits}>{prefix === null ? words.manyRanges : `${prefix}****`}</b>
              <p>{words.hit(serviceId, words.names[rule])}</p>
            </div>
            <small>
              {words.times(count)}
              <br />
              {formats.dayClock(at)}
            </small>
          </li>
        ))}
      </Entries>
    </section>
  )
}
