import { verificationModes } from '@ringproof/contract/lists/calls.ts'
import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { AddButton } from '../../parts/forms/AdminButton.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Select } from '../../parts/forms/Form.tsx'
import { Section } from '../../parts/text/Page.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './tariffs.module.css'
import { noVersion, useVersion, VersionFields, VersionTable } from './Version.tsx'
import type { TariffsPage } from './versions.ts'

type Mode = (typeof verificationModes)[number]

export function Costs({ page: { costs, trunks } }: { readonly page: TariffsPage }) {
  const words = useScreenWords('tariffs')
  return (
    <Section title={words.costs} lead={words.costsLead} action={<AddCostButton trunks={trunks} />}>
      {costs.length === 0 && <p className={css.none}>{trunks.length === 0 ? words.noTrunk : words.noCosts}</p>}
      {[...Map.groupBy(costs, ({ trunk }) => trunk)].map(([trunk, of]) => (
        <VersionTable
          key={trunk}
          title={trunk}
          of={of}
          kinds={verificationModes}
          kindOf={({ mode }) => mode}
          amountOf={({ cost }) => cost}
        />
      ))}
    </Section>
  )
}

export function AddCostButton({
  trunks,
  look = 'plain',
}: {
  readonly trunks: readonly string[]
  readonly look?: 'ink' | 'plain'
}) {
  const words = useScreenWords('tariffs')
  return (
    <AddButton text={words.addCost} look={look} disabled={trunks.length === 0}>
      {(onClose) => <AddCost trunks={trunks} onClose={onClose} />}
    </AddButton>
  )
}

function AddCost({ trunks, onClose }: { readonly trunks: readonly string[]; readonly onClose: () => void }) {
  const words = useScreenWords('tariffs')
  const { save } = useWords()
  const [typed, setTyped] = useState({ ...noVersion, trunk: trunks[0] ?? '', mode: 'flash' as Mode })
  const version = useVersion(typed)
  const formats = useFormats()
  const set = (some: Partial<typeof typed>) => setTyped({ ...typed, ...some })
  const cost = version && {
    trunk: typed.trunk,
    mode: typed.mode,
    country: version.country,
    cost: version.amount,
    validFrom: version.validFrom,
  }
  return (
    <AskChange
      change="set-trunk-cost"
      refreshes={['tariffs']}
      input={cost}
      notice={({ validFrom }) => words.published(formats.dayClock(validFrom))}
      title={words.addCost}
      lead={words.costsLead}
      action={save}
      onClose={onClose}
    >
      {(isRefused) => (
        <VersionFields typed={typed} label={words.cost} isRefused={isRefused} onChange={set}>
          <Select
            label={words.trunk}
            value={typed.trunk}
            onChange={(trunk) => set({ trunk })}
            of={trunks.map((name) => ({ value: name, text: name }))}
          />
          <Select
            label={words.mode}
            value={typed.mode}
            onChange={(mode) => set({ mode })}
            of={verificationModes.map((value) => ({ value, text: words.kinds[value] }))}
          />
        </VersionFields>
      )}
    </AskChange>
  )
}
