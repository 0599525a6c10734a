import { useFormats } from '../../formats.ts'
import { Section } from '../../parts/text/Page.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './trunks.module.css'

export function TrunkLog({ name }: { readonly name: string }) {
  const words = useScreenWords('trunks')
  const formats = useFormats()
  return (
    <Section title={words.log}>
      <Loaded query={useReadWith('trunk-log', { name })}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p className={css.pad}>{words.logNone}</p>
          ) : (
            <ol className={css.log}>
              {entries.map(({ id, at, who, action, changes }) => (
                <li key={id}>
                  <time>{formats.moment(at)}</time>
                  <div>
                    <b>{who}</b> {words.actions[action] ?? action}
                    {changes.map((change) => (
                      <code key={change}>{change}</code>
                    ))}
                  </div>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  )
}
