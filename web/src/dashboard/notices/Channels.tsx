import type { WebInput, WebOutput } from '@ringproof/contract/web/api.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { SecretOnce } from '../../parts/forms/ShownOnce.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Row, Section } from '../../parts/text/Page.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './notices.module.css'
import { SetReceiver } from './SetReceiver.tsx'

export type NoticesData = WebOutput<'notices'>
export type Channel = WebInput<'test-notice'>['channel']

export function Channels({ data: { email, telegram, webhook } }: { readonly data: NoticesData }) {
  const words = useScreenWords('notices')
  const telegramNote = telegram.isOn ? telegram.name : words.telegramOff
  return (
    <Section title={words.channels} lead={words.channelsLead}>
      <Row title={words.channelNames.email} note={email}>
        <SendTest channel="email" />
      </Row>
      <Row title={words.channelNames.telegram} note={telegram.isAvailable ? telegramNote : words.telegramNone}>
        {telegram.isAvailable && telegram.isOn && <SendTest channel="telegram" />}
        {telegram.isAvailable && !telegram.isOn && (
          <Link className={buttonClass('plain', { isSmall: true })} to={dashboardAddress('account/security', 'live')}>
            {words.link}
          </Link>
        )}
      </Row>
      <Receiver webhook={webhook} />
    </Section>
  )
}

function SendTest({ channel }: { readonly channel: Channel }) {
  const words = useScreenWords('notices')
  const { mutate, isPending, error } = useChange('test-notice')
  return (
    <>
      <Mistake error={error} />
      <Button
        isSmall
        disabled={isPending}
        onClick={() => mutate({ channel }, { onSuccess: () => showNotice({ text: words.sent[channel] }) })}
      >
        {words.test}
      </Button>
    </>
  )
}

// Of the account: owners and developers set it.
function Receiver({ webhook: { isOn, host } }: { readonly webhook: NoticesData['webhook'] }) {
  const words = useScreenWords('notices')
  const isBuilder = useIsBuilder()
  const [open, setOpen] = useState<'set' | 'remove' | { readonly secret: string }>()
  const close = () => setOpen(undefined)
  return (
    <Row title={words.channelNames.webhook} note={isOn ? host : words.webhookOff}>
      {isBuilder && (
        <div className={css.acts}>
          {isOn && <SendTest channel="webhook" />}
          <Button isSmall onClick={() => setOpen('set')}>
            {isOn ? words.change : words.set}
          </Button>
          {isOn && (
            <Button isSmall look="danger" onClick={() => setOpen('remove')}>
              {words.remove}
            </Button>
          )}
        </div>
      )}
      {open === 'set' && <SetReceiver onClose={close} onSecret={(secret) => setOpen({ secret })} />}
      {typeof open === 'object' && (
        <SecretOnce
          title={words.secret}
          lead={words.secretLead}
          once={words.once}
          stored={words.stored}
          secret={open.secret}
          onClose={close}
        />
      )}
      {open === 'remove' && <RemoveReceiver host={host} onClose={close} />}
    </Row>
  )
}

function RemoveReceiver({ host, onClose }: { readonly host: string; readonly onClose: () => void }) {
  const words = useScreenWords('notices')
  return (
    <AskChange
      change="set-notice-webhook"
      refreshes={['notices']}
      input={{ url: '' }}
      title={words.removeTitle(host)}
      lead={words.removeLead}
      action={words.remove}
      isDangerous
      onClose={onClose}
    />
  )
}
