import { useState } from 'react'
import { errorOf } from '../../api.ts'
import { AddButton } from '../../parts/AdminButton.tsx'
import { Ask } from '../../parts/Ask.tsx'
import { Select } from '../../parts/Form.tsx'
import { Section } from '../../parts/Page.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './tariffs.module.css'
import { noVersion, usePublished, useVersion, VersionFields, VersionRow } from './Version.tsx'
import { type TariffsPage, versionsOf } from './versions.ts'

const modes = ['flash', 'voice', 'mix', 'inbound'] as const

export function Costs({ page: { costs, trunks } }: { readonly page: TariffsPage }) {
  const words = useScreenWords('tariffs')
  const add = (
    <AddButton text={words.addCost} disabled={trunks.length === 0}>
      {(onClose) => <AddCost trunks={trunks} onClose={onClose} />}
    </AddButton>
  )
  const rows = versionsOf(costs, ({ trunk, mode, country }) => `${trunk} ${mode} ${country}`, Date.now())
  return (
    <Section title={words.costs} lead={words.costsLead} action={add}>
      {rows.length === 0 && <p className={css.none}>{trunks.length === 0 ? words.noTrunk : words.noCosts}</p>}
      {rows.map(([key, versions]) => (
        <VersionRow
          key={key}
          versions={versions}
          titleOf={({ trunk, mode }) => `${trunk}: ${words.kinds[mode]}`}
          amountOf={({ cost }) => cost}
        />
      ))}
    </Section>
  )
}

function AddCost({ trunks, onClose }: { readonly trunks: readonly string[]; readonly onClose: () => void }) {
  const words = useScreenWords('tariffs')
  const { save } = useWords()
  const [typed, setTyped] = useState({ ...noVersion, trunk: trunks[0] ?? '', mode: 'flash' })
  const { mutate, isPending, error } = useChange('set-trunk-cost', ['tariffs'])
  const version = useVersion(typed)
  const published = usePublished(onClose)
  const mode = modes.find((one) => one === typed.mode) ?? 'flash'
  const isRefused = error !== null && errorOf(error) === 'invalid'
  const set = (some: Partial<typeof typed>) => setTyped({ ...typed, ...some })
  const submit = () => {
    if (version === undefined) return
    const { country, amount, validFrom } = version
    mutate({ trunk: typed.trunk, mode, country, cost: amount, validFrom }, { onSuccess: published })
  }
  return (
    <Ask
      title={words.addCost}
      lead={words.costsLead}
      action={save}
      isReady={version !== undefined}
      isBusy={isPending}
      error={isRefused ? null : error}
      onDo={submit}
      onClose={onClose}
    >
      <VersionFields typed={typed} label={words.cost} isRefused={isRefused} onChange={set}>
        <Select label={words.trunk} value={typed.trunk} onChange={({ target }) => set({ trunk: target.value })}>
          {trunks.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Select label={words.mode} value={mode} onChange={({ target }) => set({ mode: target.value })}>
          {modes.map((one) => (
            <option key={one} value={one}>
              {words.kinds[one]}
            </option>
          ))}
        </Select>
      </VersionFields>
    </Ask>
  )
}
