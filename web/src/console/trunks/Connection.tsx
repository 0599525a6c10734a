import { optionsIn } from '@ringproof/contract/lists/trunk-options.ts'
import { Fragment, useState } from 'react'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import { OptionField } from './OptionField.tsx'
import type { ShownTrunk } from './trunk.ts'
import { typedOf, valuesOf } from './trunk-option.ts'

export function Connection({ trunk, onClose }: { readonly trunk: ShownTrunk; readonly onClose: () => void }) {
  const words = useScreenWords('trunks')
  const { save } = useWords()
  const [typed, setTyped] = useState(() => typedOf(optionsIn('connection'), trunk))
  const [password, setPassword] = useState('')
  const values = valuesOf(typed)
  return (
    <AskChange
      change="set-trunk"
      refreshes={['trunks', 'trunk-log']}
      input={values && { name: trunk.name, password, ...values }}
      notice={words.connectionSaved}
      title={words.edit}
      action={save}
      onClose={onClose}
    >
      {optionsIn('connection').map((name, index) => (
        <Fragment key={name}>
          <OptionField
            name={name}
            typed={typed[name]}
            isFirst={index === 0}
            onChange={(value) => setTyped({ ...typed, [name]: value })}
          />
          {name === 'user' && (
            <Field
              label={words.password}
              hint={trunk.hasPassword ? words.passwordKept : undefined}
              isSecret
              autoComplete="new-password"
              maxLength={200}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Fragment>
      ))}
    </AskChange>
  )
}
