import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Ask } from '../../parts/forms/Ask.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { useChange } from '../../queries.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { Service } from './service.ts'

type DialogProps = { readonly service: Service; readonly onClose: () => void }

export function RenameService({ service, onClose }: DialogProps) {
  const words = useScreenWords('services')
  const { save } = useWords()
  const { mutate, isPending, error } = useChange('rename-service', ['services', 'start'])
  const [name, setName] = useState(service.name)
  const rename = (to: string, onSuccess: () => void = onClose) =>
    mutate({ serviceId: service.id, name: to }, { onSuccess })
  const done = () => {
    onClose()
    showNotice({ text: words.renamed(name.trim()), undo: () => rename(service.name) })
  }
  return (
    <Ask
      title={words.renameTitle(service.name)}
      action={save}
      isReady={name.trim() !== '' && name !== service.name}
      isBusy={isPending}
      error={error}
      onDo={() => rename(name.trim(), done)}
      onClose={onClose}
    >
      <Field
        label={words.name}
        hint={words.nameHint}
        isFirst
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </Ask>
  )
}

export function ArchiveService({ service, onClose }: DialogProps) {
  const words = useScreenWords('services')
  const formats = useFormats()
  return (
    <AskChange
      change="set-service-state"
      refreshes={['services', 'start']}
      input={{ serviceId: service.id, state: 'archived' }}
      title={words.archiveTitle(service.name)}
      lead={words.archiveText(service.name, service.keys.length)}
      action={words.archive}
      isDangerous
      onClose={onClose}
    >
      {service.lastRequestAt === null ? undefined : <p>{words.archiveBusy(formats.ago(service.lastRequestAt))}</p>}
    </AskChange>
  )
}
