// A new tariff with its first price. Customers get it on their own page.

import { useState } from 'react'
import { errorOf } from '../../api.ts'
import { Ask } from '../../parts/forms/Ask.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { items, type Kind, PriceKind } from './PriceKind.tsx'
import { noVersion, useVersion, VersionFields } from './Version.tsx'

export function AddTariff({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('tariffs')
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const [typed, setTyped] = useState({ ...noVersion, kind: 'flash' as Kind })
  const version = useVersion(typed)
  const { mutate, isPending, error, reset } = useChange('create-tariff', ['tariffs'])
  const isCode = /^[a-z0-9_-]{1,32}$/.test(code)
  const refusal = error === null ? undefined : errorOf(error)
  const isReady = version !== undefined && isCode && name.trim() !== ''
  const create = ({ country, amount, validFrom }: NonNullable<typeof version>) =>
    mutate(
      { tariff: code, name: name.trim(), ...items[typed.kind], country, price: amount, validFrom },
      {
        onSuccess: () => {
          onClose()
          showNotice({ text: words.tariffMade(name.trim()) })
        },
      },
    )
  const set = (some: Partial<typeof typed>) => setTyped({ ...typed, ...some })
  const codeError = refusal === 'taken' ? words.codeTaken : code !== '' && !isCode ? words.codeHint : undefined
  return (
    <Ask
      title={words.addTariff}
      lead={words.addTariffLead}
      action={words.publish}
      isReady={isReady}
      isBusy={isPending}
      error={refusal === 'taken' || refusal === 'invalid' ? null : error}
      onDo={() => isReady && create(version)}
      onClose={onClose}
    >
      <VersionFields typed={typed} label={words.price} isRefused={refusal === 'invalid'} onChange={set}>
        <Field
          label={words.tariffName}
          hint={words.tariffNameHint}
          isFirst
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={words.code}
          hint={words.codeHint}
          isCode
          maxLength={32}
          value={code}
          error={codeError}
          onChange={(event) => {
            setCode(event.target.value.trim().toLowerCase())
            reset()
          }}
        />
        <PriceKind kind={typed.kind} onChange={(kind) => set({ kind })} />
      </VersionFields>
    </Ask>
  )
}
