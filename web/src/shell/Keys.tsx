import type { ReactNode } from 'react'
import { Button } from '../parts/forms/Button.tsx'
import { Modal } from '../parts/forms/Modal.tsx'
import { useSells } from '../queries.ts'
import { useWords } from '../words/words.ts'
import { type Audience, placesOf } from './places.ts'
import css from './shell.module.css'

export function Keys({ audience, onClose }: { readonly audience: Audience; readonly onClose: () => void }) {
  const { shell, nav, close } = useWords()
  return (
    <Modal
      title={shell.keys}
      lead={shell.keysLead}
      onClose={onClose}
      foot={
        <Button look="ink" onClick={onClose}>
          {close}
        </Button>
      }
    >
      <dl className={css.keys}>
        <KeyRow name={shell.keyNames.find} keys={['Ctrl K', '/']} />
        {placesOf(audience, useSells()).map(({ name, key }) =>
          key === undefined ? null : <KeyRow key={name} name={nav[name]} keys={['g', key]} joint={shell.after} />,
        )}
        <KeyRow name={shell.keyNames.help} keys={['?']} />
        <KeyRow name={shell.keyNames.close} keys={['Esc']} />
      </dl>
    </Modal>
  )
}

function KeyRow({
  name,
  keys,
  joint = '',
}: {
  readonly name: string
  readonly keys: string[]
  readonly joint?: string
}) {
  const caps = keys.flatMap((key, at): ReactNode[] => [
    at > 0 && ` ${joint} `,
    <kbd key={key} className={css.key}>
      {key}
    </kbd>,
  ])
  return (
    <div>
      <dt>{name}</dt>
      <dd>{caps}</dd>
    </div>
  )
}
