import { useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { useFormats } from '../../formats.ts'
import { AskRotate } from '../../parts/forms/AskRotate.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Select } from '../../parts/forms/Form.tsx'
import { SecretOnce } from '../../parts/forms/ShownOnce.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { WebhookService } from './webhook.ts'
import css from './webhooks.module.css'

export function Secrets({ services }: { readonly services: readonly WebhookService[] }) {
  const words = useScreenWords('webhooks')
  const [id, setId] = useState<number>()
  const service = services.find((one) => one.id === id) ?? services[0]
  if (service === undefined) return null
  return (
    <section>
      <h2>{words.secret}</h2>
      {services.length > 1 && (
        <div className={css.choose}>
          <Select
            label={words.service}
            value={service.id}
            onChange={setId}
            of={services.map((one) => ({ value: one.id, text: one.name }))}
          />
        </div>
      )}
      <Secret key={service.id} service={service} />
    </section>
  )
}

function Secret({ service }: { readonly service: WebhookService }) {
  const words = useScreenWords('webhooks')
  const { state } = useWords()
  const formats = useFormats()
  const isBuilder = useIsBuilder()
  const [isRotating, setRotating] = useState(false)
  // In memory until the dialog is closed.
  const [secret, setSecret] = useState<string>()
  const { secretEnd, oldSecretEnd, oldSecretUntil } = service
  const until = oldSecretUntil === null ? undefined : formats.dayClock(oldSecretUntil)
  return (
    <>
      <p className={css.text}>
        {until === undefined ? words.secretLead(service.name) : words.secretLeadBoth(service.name, until)}
      </p>
      <div className={css.secrets}>
        <div>
          <small>{until === undefined ? words.only : words.newOne}</small>
          <code>{`whsec_…${secretEnd}`}</code>
          <span />
        </div>
        {oldSecretEnd !== null && until !== undefined && (
          <div>
            <small>{words.oldOne}</small>
            <code>{`whsec_…${oldSecretEnd}`}</code>
            <span>{words.oldUntil(until)}</span>
          </div>
        )}
      </div>
      <Button
        disabled={!isBuilder}
        title={isBuilder ? undefined : state.onlyBuilders}
        onClick={() => setRotating(true)}
      >
        {words.rotate}
      </Button>
      <p className={css.fine}>{words.header}</p>
      {isRotating && (
        <AskRotate
          change="rotate-webhook-secret"
          refreshes={['webhooks']}
          input={(overlapHours) => ({ serviceId: service.id, overlapHours })}
          onDone={(created) => {
            setRotating(false)
            setSecret(created.secret)
          }}
          words={{ ...words, overlapUntil: words.oldUntil }}
          name={service.name}
          onClose={() => setRotating(false)}
        />
      )}
      {secret !== undefined && (
        <SecretOnce
          title={words.newSecret(service.name)}
          lead={words.newSecretLead}
          once={words.once}
          stored={words.stored}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}
