// Advice: a provider whose ring-through has left what is usual. It names the side at fault and offers one action with its price;
// what was applied stays in sight until it is ended.

import { Link } from '@tanstack/react-router'
import { useIsBuilder } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { Shape } from '../../parts/charts/Ring.tsx'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { useSells } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { AddressOf, Data } from './figures.ts'
import css from './statistics.module.css'
import { useProviderMode } from './use-provider-mode.ts'

type Props = { readonly data: Data; readonly addressOf: AddressOf }

export function Fallen({ data, addressOf }: Props) {
  return (
    <>
      {data.providers
        .filter(({ hasFallen }) => hasFallen)
        .map((row) => (
          <FallenProvider key={row.provider} row={row} addressOf={addressOf} />
        ))}
      {data.providerModes.map((rule) => (
        <Rule key={`${rule.provider} ${rule.mode}`} rule={rule} />
      ))}
    </>
  )
}

function FallenProvider({
  row: { provider, rang, dialled, usual, advice },
  addressOf,
}: {
  readonly row: Data['providers'][number]
  readonly addressOf: AddressOf
}) {
  const words = useScreenWords('statistics')
  const { state } = useWords()
  const formats = useFormats()
  const isBuilder = useIsBuilder()
  const setMode = useProviderMode()
  const sells = useSells()
  const share = formats.percent(rang / dialled)
  return (
    <div className={css.need}>
      <Shape is="down" />
      <p>
        <b>{words.fallen(provider || words.unknown, share, formats.percent(usual ?? 1))}</b> {words.fallenNote}{' '}
        {advice && (
          <>
            {words.instead[advice.mode](provider)}{' '}
            {sells && `${words.insteadPrice(formats.price(advice.price), formats.price(advice.flashPrice))} `}
          </>
        )}
        <a href="/docs/guides/inbound" target="_blank" rel="noreferrer">
          {words.inboundGuide}
        </a>
      </p>
      <Link
        to={addressOf({ provider, status: 'failed' })}
        className={buttonClass(advice ? 'plain' : 'ink', { isSmall: true })}
      >
        {words.fallenAct}
      </Link>
      {advice && (
        <Button
          look="ink"
          isSmall
          disabled={!isBuilder}
          title={isBuilder ? undefined : state.onlyBuilders}
          onClick={() => setMode(provider, advice.mode)}
        >
          {words.insteadAct[advice.mode]}
        </Button>
      )}
    </div>
  )
}

function Rule({ rule: { provider, mode } }: { readonly rule: Data['providerModes'][number] }) {
  const words = useScreenWords('statistics')
  const { mode: modes, state } = useWords()
  const isBuilder = useIsBuilder()
  const setMode = useProviderMode()
  return (
    <div className={`${css.need} ${css.calm}`}>
      <Shape is="idle" />
      <p>
        <b>{words.rule(provider, modes[mode].toLowerCase())}</b> {words.ruleNote}
      </p>
      <Button
        isSmall
        disabled={!isBuilder}
        title={isBuilder ? undefined : state.onlyBuilders}
        onClick={() => setMode(provider, null, mode)}
      >
        {words.ruleEnd}
      </Button>
    </div>
  )
}
