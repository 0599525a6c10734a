import { useFormats } from '../../formats.ts'
import { Lines } from '../../parts/phone/CallDetail.tsx'
import { useScreenWords } from '../../words/words.ts'
import type { Shown } from './shown.ts'
import css from './verification.module.css'

export function Money({ shown }: { readonly shown: Shown }) {
  const words = useScreenWords('verification')
  const formats = useFormats()
  const names = { held: words.heldLine, captured: words.capturedLine, released: words.releasedLine }
  return (
    <section>
      <h2>{words.money}</h2>
      <div className={css.sum}>
        <b>{formats.price(shown.charged)}</b>
        <span>{words.charged}</span>
      </div>
      {shown.isTest ? (
        <p className={css.foot}>{words.testMoney}</p>
      ) : (
        <Lines>
          <div>
            <dt>{words.price}</dt>
            <dd>{formats.price(shown.price)}</dd>
          </div>
          {shown.ledger.map(({ at, kind, amount, sequence }) => (
            <div key={sequence}>
              <dt>
                {names[kind]}, {formats.exactClock(at)}
              </dt>
              <dd>{formats.price(amount)}</dd>
            </div>
          ))}
        </Lines>
      )}
    </section>
  )
}
