import { Phone, PhoneOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.ts'
import { classes } from '../text/classes.ts'
import css from './handset.module.css'
import { spacedNumber } from './phone-number.ts'

// A phone in the page. Its screen is dark in either theme, as phones are when they ring.
export function Handset({
  number,
  isSmall = false,
  isLit = true,
  children,
}: {
  readonly number: string
  readonly isSmall?: boolean
  // Dark glass when nothing happens on it.
  readonly isLit?: boolean
  readonly children: ReactNode
}) {
  const { handset } = useWords()
  return (
    <section className={classes(css.body, isSmall && css.small)} aria-label={handset.name(spacedNumber(number))}>
      <div className={classes(css.screen, !isLit && css.dark)}>
        <div className={css.status}>
          <span>{spacedNumber(number)}</span>
        </div>
        {children}
      </div>
    </section>
  )
}

// A call that rings, or one that has rung and can still be read.
export function CallScreen({
  label,
  caller,
  service,
  isRinging,
  children,
}: {
  readonly label: string
  readonly caller: string
  readonly service: string
  readonly isRinging: boolean
  readonly children?: ReactNode
}) {
  const { handset } = useWords()
  return (
    <>
      <p className={css.label} role="status">
        {label}
      </p>
      <div className={css.rings}>
        {isRinging && (
          <svg viewBox="0 0 420 420" aria-hidden="true">
            {[1, 2, 3, 4].map((n) => (
              <circle key={n} cx="210" cy="210" r="205" />
            ))}
          </svg>
        )}
        <span className={css.lead}>{spacedNumber(caller.slice(0, -4))}</span>
        <strong className={css.digits}>{caller.slice(-4)}</strong>
      </div>
      <p className={css.for}>
        {handset.calledFrom} <b>{service}</b>
      </p>
      <div className={css.lower}>{children}</div>
    </>
  )
}

// Without an answer the call is going on, and can only be hung up.
export function CallActions({
  onAnswer,
  onDecline,
}: {
  readonly onAnswer?: (() => void) | undefined
  readonly onDecline: () => void
}) {
  const { handset } = useWords()
  return (
    <div className={css.actions}>
      <button type="button" className={classes(css.round, css.no)} onClick={onDecline}>
        <i>
          <PhoneOff size={22} />
        </i>
        {onAnswer === undefined ? handset.hangUp : handset.decline}
      </button>
      {onAnswer !== undefined && (
        <button type="button" className={classes(css.round, css.yes)} onClick={onAnswer}>
          <i>
            <Phone size={22} />
          </i>
          {handset.answer}
        </button>
      )}
    </div>
  )
}

// Small buttons below the round ones.
export function HandsetButtons({ children }: { readonly children: ReactNode }) {
  return <div className={css.also}>{children}</div>
}

// Text on an otherwise empty screen, and what can be done from it.
export function QuietScreen({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <>
      <p className={css.quiet} role="status">
        {text}
      </p>
      <div className={css.lower}>{children}</div>
    </>
  )
}
