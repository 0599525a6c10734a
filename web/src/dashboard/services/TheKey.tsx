import { Link } from '@tanstack/react-router'
import { SecretOnce } from '../../parts/forms/ShownOnce.tsx'
import { CodeBlock, CodeTitle, CopyButton } from '../../parts/text/Code.tsx'
import { useChange, useMe } from '../../queries.ts'
import { envFile } from '../../samples.ts'
import { useScreenWords } from '../../words/words.ts'

export type ShownKey = { readonly serviceId: number; readonly key: string; readonly title: string }

const envName = '.env'

export function TheKey({ shown, onClose }: { readonly shown: ShownKey; readonly onClose: () => void }) {
  const words = useScreenWords('services')
  const { installation } = useMe()
  const { mutate } = useChange('note-key-stored', ['start'])
  const env = envFile(installation, shown.serviceId, shown.key)
  const end = () => {
    mutate({})
    onClose()
  }
  return (
    <SecretOnce
      title={shown.title}
      lead={words.readyLead(shown.serviceId)}
      once={words.once}
      stored={words.stored}
      secret={shown.key}
      onClose={end}
    >
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
    </SecretOnce>
  )
}
