import { Printer } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/Button.tsx'
import { CopyButton } from '../../parts/Code.tsx'
import { Tick } from '../../parts/Form.tsx'
import { Modal } from '../../parts/Modal.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import css from './account.module.css'

// Shown once; closes when the reader says that they are stored.
export function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const words = useScreenWords('account')
  const { done } = useWords()
  const [areStored, setStored] = useState(false)
  return (
    <Modal
      isLocked
      title={words.codesTitle}
      lead={words.codesLead}
      onClose={onClose}
      foot={
        <>
          <Tick isOn={areStored} onChange={setStored}>
            {words.codesStored}
          </Tick>
          <Button look="ink" disabled={!areStored} onClick={onClose}>
            {done}
          </Button>
        </>
      }
    >
      <ol className={css.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={css.acts}>
        <CopyButton text={codes.join('\n')} autoFocus />
        <Button isSmall look="ghost" onClick={() => print()}>
          <Printer size={14} />
          {words.print}
        </Button>
      </div>
    </Modal>
  )
}
