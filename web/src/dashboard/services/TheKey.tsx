import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../parts/Button.tsx'
import { Caution } from '../../parts/Caution.tsx'
import { CodeBlock, CodeTitle, CopyButton, KeyLine } from '../../parts/Code.tsx'
import { Tick } from '../../parts/Form.tsx'
import { Modal } from '../../parts/Modal.tsx'
import { useChange, useMe } from '../../queries.ts'
import { envFile } from '../../samples.ts'
import { useScreenWords, useWords } from '../../words/words.ts'

export type ShownKey = { readonly serviceId: number; readonly key: string; readonly title: string }

const envName = '.env'

// Closes only when the reader says that the key is stored: it is not shown again.
export function TheKey({ shown, onClose }: { readonly shown: ShownKey; readonly onClose: () => void }) {
  const words = useScreenWords('services')
  const { done } = useWords()
  const { installation } = useMe()
  const { mutate } = useChange('note-key-stored', ['start'])
  const [isStored, setStored] = useState(false)
  const env = envFile(installation, shown.serviceId, shown.key)
  const end = () => {
    mutate({})
    onClose()
  }
  return (
    <Modal
      isLocked
      title={shown.title}
      lead={words.readyLead(shown.serviceId)}
      onClose={onClose}
      foot={
        <>
          <Tick isOn={isStored} onChange={setStored}>
            {words.stored}
          </Tick>
          <Button look="ink" disabled={!isStored} onClick={end}>
            {done}
          </Button>
        </>
      }
    >
      <KeyLine text={shown.key}>
        <CopyButton text={shown.key} autoFocus />
      </KeyLine>
      <Caution text={words.once} />
      <CodeBlock
        label={envName}
        text={env}
        bar={
          <>
            <CodeTitle>{envName}</CodeTitle>
            <CopyButton text={env}>{words.env}</CopyButton>
          </>
        }
      />
      <p>
        <Link to="/dashboard/test/phones">{words.ring}</Link>
      </p>
    </Modal>
  )
}
