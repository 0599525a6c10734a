import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Field, Select } from '../../parts/forms/Form.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './inbound.module.css'

const pattern = /^[1-9]\d{6,14}$/
const addedMax = 10_000

export function AddNumbers({
  trunks,
  onClose,
}: {
  readonly trunks: WebOutput<'inbound'>['trunks']
  readonly onClose: () => void
}) {
  const words = useScreenWords('inbound')
  const [trunk, setTrunk] = useState(trunks[0]?.name ?? '')
  const [first, setFirst] = useState('')
  const [lastText, setLast] = useState('')
  const last = lastText === '' ? first : lastText
  const count = Number(last) - Number(first) + 1
  const isGood =
    pattern.test(first) && pattern.test(last) && first.length === last.length && count > 0 && count <= addedMax
  const digits = (set: (text: string) => void) => ({
    inputMode: 'numeric' as const,
    isCode: true,
    onChange: ({ target }: { target: { value: string } }) => set(target.value.replaceAll(/\D/g, '')),
  })
  return (
    <AskChange
      change="add-confirmation-numbers"
      refreshes={['inbound']}
      input={{ trunk, first: Number(first), last: Number(last) }}
      notice={words.added(count)}
      title={words.addTitle}
      lead={words.addLead}
      action={words.addAct(isGood ? count : 0)}
      isReady={isGood}
      onClose={onClose}
    >
      {(isTaken) => (
        <>
          <Select
            label={words.trunk}
            value={trunk}
            onChange={setTrunk}
            of={trunks.map(({ name, isOn }) => ({ value: name, text: isOn ? name : `${name}, ${words.off}` }))}
          />
          <div className={css.pair}>
            <Field label={words.first} isFirst value={first} {...digits(setFirst)} />
            <Field
              label={words.last}
              hint={words.lastHint}
              error={isTaken ? words.addFailed : lastText !== '' && !isGood ? words.badRange : undefined}
              value={lastText}
              {...digits(setLast)}
            />
          </div>
        </>
      )}
    </AskChange>
  )
}
