import { useState } from 'react'
import { errorOf } from '../../api.ts'
import { useFormats } from '../../formats.ts'
import { Ask } from '../../parts/forms/Ask.tsx'
import { Field, Select } from '../../parts/forms/Form.tsx'
import { CodeBlock, CodeTitle, CopyButton } from '../../parts/text/Code.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { failureText } from './Delivery.tsx'
import { isGood, type WebhookService } from './webhook.ts'
import css from './webhooks.module.css'

export function SendExample({
  services,
  onClose,
}: {
  readonly services: readonly WebhookService[]
  readonly onClose: () => void
}) {
  const words = useScreenWords('webhooks')
  const formats = useFormats()
  const { mutate, isPending, error, data } = useChange('send-example-webhook')
  const [id, setId] = useState(services[0]?.id ?? 0)
  const [url, setUrl] = useState('')
  const isRefused = error !== null && errorOf(error) === 'invalid'
  return (
    <Ask
      title={words.exampleTitle}
      lead={words.exampleLead}
      action={words.send}
      isReady={url.trim() !== ''}
      isBusy={isPending}
      error={isRefused ? null : error}
      onDo={() => mutate({ serviceId: id, url: url.trim() })}
      onClose={onClose}
    >
      {services.length > 1 && (
        <Select
          label={words.service}
          value={id}
          onChange={setId}
          of={services.map((service) => ({ value: service.id, text: service.name }))}
        />
      )}
      <Field
        label={words.url}
        hint={words.urlHint}
        error={isRefused ? words.urlWrong : undefined}
        isFirst
        isCode
        type="url"
        maxLength={2_000}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      {data !== undefined && (
        <>
          <p className={isGood(data.attempt.status) ? css.good : css.bad} role="status">
            {data.attempt.status === null
              ? words.notArrived(failureText(words, data.attempt))
              : words.arrived(data.attempt.status, formats.number(data.attempt.ms))}
          </p>
          <CodeBlock
            text={data.body}
            label={words.sent}
            bar={
              <>
                <CodeTitle>{words.sent}</CodeTitle>
                <CopyButton isIcon text={data.body} />
              </>
            }
          />
        </>
      )}
    </Ask>
  )
}
