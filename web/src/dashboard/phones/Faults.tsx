import { phoneFaults } from '@ringproof/contract/lists/phones.ts'
import { useIsBuilder } from '../../access.ts'
import { Toggle } from '../../parts/forms/Form.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import type { PhonesData } from './phone.ts'
import css from './phones.module.css'

// What goes wrong in a real network, on purpose.
export function Faults({ on }: { readonly on: PhonesData['faults'] }) {
  const words = useScreenWords('phones')
  const isBuilder = useIsBuilder()
  const { mutate } = useChange('set-phone-fault', ['phones'])
  return (
    <section className={css.chaos}>
      <h2>{words.faults}</h2>
      {phoneFaults.map((fault) => (
        <div key={fault}>
          <span>{words.faultNames[fault]}</span>
          <Toggle
            label={words.faultNames[fault]}
            isOn={on.includes(fault)}
            isDisabled={!isBuilder}
            onChange={(isOn) => mutate({ fault, isOn })}
          />
        </div>
      ))}
    </section>
  )
}
