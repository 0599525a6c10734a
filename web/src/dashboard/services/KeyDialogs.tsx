import { useFormats } from '../../formats.ts'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { AskRotate } from '../../parts/forms/AskRotate.tsx'
import { useScreenWords } from '../../words/words.ts'
import type { Key, Service } from './service.ts'
import type { ShownKey } from './TheKey.tsx'

type DialogProps = { readonly service: Service; readonly apiKey: Key; readonly onClose: () => void }

export function EndOldKey({ service, apiKey, onClose }: DialogProps) {
  const words = useScreenWords('services')
  const formats = useFormats()
  return (
    <AskChange
      change="end-old-key"
      refreshes={['services']}
      input={{ serviceId: service.id, name: apiKey.name }}
      title={words.endTitle(apiKey.name)}
      lead={words.endText}
      action={words.end}
      isDangerous
      onClose={onClose}
    >
      {apiKey.lastUsedAt === null ? undefined : <p>{words.endUsed(formats.ago(apiKey.lastUsedAt))}</p>}
    </AskChange>
  )
}

export function RevokeKey({ service, apiKey, onClose }: DialogProps) {
  const words = useScreenWords('services')
  return (
    <AskChange
      change="revoke-service-key"
      refreshes={['services']}
      input={{ serviceId: service.id, name: apiKey.name }}
      title={words.revokeTitle(apiKey.name)}
      lead={words.revokeText(apiKey.start)}
      action={words.revoke}
      isDangerous
      onClose={onClose}
    />
  )
}

export function RotateKey({
  service,
  apiKey,
  onClose,
  onKey,
}: DialogProps & { readonly onKey: (key: ShownKey) => void }) {
  const words = useScreenWords('services')
  return (
    <AskRotate
      change="rotate-service-key"
      refreshes={['services']}
      input={(overlapHours) => ({ serviceId: service.id, name: apiKey.name, overlapHours })}
      onDone={(created) => onKey({ ...created, title: words.newKeyTitle(service.name) })}
      words={words}
      name={apiKey.name}
      onClose={onClose}
    />
  )
}
