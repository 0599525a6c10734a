import { optionsIn } from '@ringproof/contract/lists/trunk-options.ts'
import { useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { AdminForm } from '../../parts/forms/AdminForm.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Section } from '../../parts/text/Page.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { OptionField } from './OptionField.tsx'
import type { ShownTrunk } from './trunk.ts'
import { typedOf, valuesOf } from './trunk-option.ts'
import css from './trunks.module.css'

export function Limits({ trunk }: { readonly trunk: ShownTrunk }) {
  const words = useScreenWords('trunks')
  const isAdmin = useIsAdmin()
  const set = useChange('set-trunk-limits', ['trunks', 'trunk-log'])
  const [typed, setTyped] = useState(() => typedOf(optionsIn('limits'), trunk))
  const values = valuesOf(typed)
  const isChanged = optionsIn('limits').some((name) => values?.[name] !== trunk[name])
  const submit = () =>
    values && set.mutate({ name: trunk.name, ...values }, { onSuccess: () => showNotice({ text: words.limitsSaved }) })
  return (
    <Section title={words.limits} lead={words.limitsLead}>
      <AdminForm isReady={values !== undefined && isChanged} isBusy={set.isPending} error={set.error} onSave={submit}>
        <div className={css.fields}>
          {optionsIn('limits').map((name) => (
            <OptionField
              key={name}
              name={name}
              typed={typed[name]}
              disabled={!isAdmin}
              onChange={(value) => setTyped({ ...typed, [name]: value })}
            />
          ))}
        </div>
      </AdminForm>
    </Section>
  )
}
