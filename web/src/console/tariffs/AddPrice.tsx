// A new version of a price. Before it is published, it is applied to the calls of the last thirty days.

import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Select } from '../../parts/forms/Form.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { items, type Kind, PriceKind } from './PriceKind.tsx'
import css from './tariffs.module.css'
import { noVersion, useVersion, VersionFields } from './Version.tsx'
import type { TariffsPage } from './versions.ts'

export function AddPrice({
  tariffs,
  onClose,
}: {
  readonly tariffs: TariffsPage['tariffs']
  readonly onClose: () => void
}) {
  const words = useScreenWords('tariffs')
  const [typed, setTyped] = useState({ ...noVersion, tariff: tariffs[0]?.code ?? 'uni', kind: 'flash' as Kind })
  const version = useVersion(typed)
  const formats = useFormats()
  const change = version && {
    tariff: typed.tariff,
    ...items[typed.kind],
    country: version.country,
    price: version.amount,
  }
  const set = (some: Partial<typeof typed>) => setTyped({ ...typed, ...some })
  return (
    <AskChange
      change="set-price"
      refreshes={['tariffs']}
      input={change && { ...change, validFrom: version.validFrom }}
      notice={({ validFrom }) => words.published(formats.dayClock(validFrom))}
      title={words.addPrice}
      action={words.publish}
      onClose={onClose}
    >
      {(isRefused) => (
        <>
          <VersionFields typed={typed} label={words.price} isRefused={isRefused} onChange={set}>
            <Select
              label={words.tariff}
              value={typed.tariff}
              onChange={(tariff) => set({ tariff })}
              of={tariffs.map(({ code, name }) => ({ value: code, text: name }))}
            />
            <PriceKind kind={typed.kind} onChange={(kind) => set({ kind })} />
          </VersionFields>
          {change && <Preview change={change} />}
        </>
      )}
    </AskChange>
  )
}

function Preview({
  change,
}: {
  readonly change: { readonly tariff: string; readonly country: string; readonly price: string } & (typeof items)[Kind]
}) {
  const words = useScreenWords('tariffs')
  const formats = useFormats()
  const { data, error } = useReadWith('price-preview', change)
  if (data === undefined) return <Mistake error={error} />
  const arrow = (before: number, after: number) => `${formats.money(before)} → ${formats.money(after)}`
  return (
    <div className={css.preview} role="status">
      <small>{words.preview}</small>
      {data.paid === 0 ? (
        <p>{words.previewNone}</p>
      ) : (
        <>
          <p>
            {words.revenue}: <b>{arrow(data.revenueBefore, data.revenueAfter)}</b>
          </p>
          <p>
            {words.margin}: <b>{arrow(data.marginBefore, data.marginAfter)}</b>
          </p>
          <small>{words.affected(data.paid)}</small>
        </>
      )}
      {data.withoutCost > 0 && <small>{words.incomplete(data.withoutCost)}</small>}
    </div>
  )
}
