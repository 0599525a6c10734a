import { useFormats } from '../../formats.ts'
import { Lines } from '../../parts/phone/CallDetail.tsx'
import { CopyButton } from '../../parts/text/Code.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './call.module.css'
import type { ShownCall } from './shown-call.ts'

// One per attempt: where it went, what the carrier said, and the Call-ID by which the carrier finds it.
export function Legs({ shown }: { readonly shown: ShownCall }) {
  const words = useScreenWords('calls')
  const { seconds } = useWords()
  const formats = useFormats()
  if (shown.legs.length === 0) return null
  return (
    <section>
      <h2>{words.legs}</h2>
      {shown.legs.map(({ attempt, trunk, source, destination, response, cause, tookMs, callId }) => (
        <article key={attempt} className={css.leg}>
          <h3>{words.leg(attempt, trunk)}</h3>
          <Lines>
            {source !== '' && (
              <div>
                <dt>{words.fromTo}</dt>
                <dd>
                  <code>{`${source} → ${destination}`}</code>
                </dd>
              </div>
            )}
            <div>
              <dt>{words.response}</dt>
              <dd>{[response || words.noResponse, cause !== null && `Q.850 ${cause}`].filter(Boolean).join(', ')}</dd>
            </div>
            <div>
              <dt>{words.took}</dt>
              <dd>{`${formats.hundredths(tookMs / 1_000)}\u00a0${seconds}`}</dd>
            </div>
            <div>
              <dt>{words.callId}</dt>
              <dd className={css.callId}>
                <code>{callId}</code>
                <CopyButton text={callId} isIcon />
              </dd>
            </div>
          </Lines>
        </article>
      ))}
    </section>
  )
}
