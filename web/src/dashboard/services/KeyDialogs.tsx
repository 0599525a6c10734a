import { useFormats } from '../../formats.ts'
import { Ask } from '../../parts/Ask.tsx'
import { AskRotate } from '../../parts/AskRotate.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import type { Key, Service } from './service.ts'
import type { ShownKey } from './TheKey.tsx'

type DialogProps = { readonly service: Service; readonly apiKey: Key; readonly onClose: () => void }

export function EndOldKey({ service, apiKey, onClose }: DialogProps) {
  const words = useScreenWords('services')
  const formats = useFormats()
  const { mutate, isPending, error } = useChange('end-old-key', ['services'])
  return (
    <Ask
      title={words.endTitle(apiKey.name)}
      lead={words.endText}
      action={words.end}
      isDangerous
      isBusy={isPending}
      error={error}
      onDo={() => mutate({ serviceId: service.id, name: apiKey.name }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {apiKey.lastUsedAt === null ? undefined : <p>{words.endUsed(formats.ago(apiKey.lastUsedAt))}</p>}
    </Ask>
  )
}

export function RevokeKey({ service, apiKey, onClose }: DialogProps) {
  const words = useScreenWords('services')
  const { mutate, isPending, error } = useChange('revoke-service-key', ['services'])
  return (
    <Ask
      title={words.revokeTitle(apiKey.name)}
      lead={words.revokeText(apiKey.start)}
      action={words.revoke}
      isDangerous
      isBusy={isPending}
      error={error}
      onDo={() => mutate({ serviceId: service.id, name: apiKey.name }, { onSuccess: onClose })}
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
  const { mutate, isPending, error } = useChange('rotate-service-key', ['services'])
  return (
    <AskRotate
      words={words}
      name={apiKey.name}
      isBusy={isPending}
      error={error}
      onDo={(overlapHours) =>
        mutate(
          { serviceId: service.id, name: apiKey.name, overlapHours },
          { onSuccess: (created) => onKey({ ...created, title: words.newKeyTitle(service.name) }) },
        )
      }
      onClose={onClose}
    />
  )
}
