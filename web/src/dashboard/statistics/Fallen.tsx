// Advice: a provider whose ring-through has left what is usual. It names the side at fault and what to do.

import { Link } from '@tanstack/react-router'
import { useFormats } from '../../formats.ts'
import { buttonClass } from '../../parts/Button.tsx'
import { Shape } from '../../parts/Ring.tsx'
import { useScreenWords } from '../../words/words.ts'
import type { AddressOf, Data } from './figures.ts'
import css from './statistics.module.css'

export function Fallen({ data, addressOf }: { readonly data: Data; readonly addressOf: AddressOf }) {
  const words = useScreenWords('statistics')
  const formats = useFormats()
  return data.providers
    .filter(({ hasFallen }) => hasFallen)
    .map(({ provider, rang, dialled, usual }) => (
      <div key={provider} className={css.need}>
        <Shape is="down" />
        <p>
          <b>{words.fallen(provider || words.unknown, formats.percent(rang / dialled), formats.percent(usual ?? 1))}</b>{' '}
          {words.fallenNote}{' '}
          <a href="/docs/guides/inbound" target="_blank" rel="noreferrer">
            {words.inboundGuide}
          </a>
        </p>
        <Link to={addressOf({ provider, status: 'failed' })} className={buttonClass('ink', { isSmall: true })}>
          {words.fallenAct}
        </Link>
      </div>
    ))
}
