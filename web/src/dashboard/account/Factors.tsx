import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { Shape } from '../../parts/charts/Ring.tsx'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { Row, Section } from '../../parts/text/Page.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { AddPasskey } from './AddPasskey.tsx'
import css from './account.module.css'
import { type BotLink, LinkTelegram } from './LinkTelegram.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { type NewTotp, SetUpTotp } from './SetUpTotp.tsx'
import type { SecurityData } from './security-data.ts'

export function Factors({ security }: { readonly security: SecurityData }) {
  const words = useScreenWords('account')
  const hasFactor = security.totp.isOn || security.telegram.isOn || security.passkeys.length > 0
  return (
    <Section title={words.factors} lead={words.factorsLead}>
      {!hasFactor && (
        <p className={css.warning}>
          <Shape is="poor" />
          {words.factorsNone}
        </p>
      )}
      <Totp totp={security.totp} />
      <Passkeys passkeys={security.passkeys} />
      <Telegram telegram={security.telegram} />
    </Section>
  )
}

function Totp({ totp }: { readonly totp: SecurityData['totp'] }) {
  const words = useScreenWords('account')
  const renew = useChange('renew-recovery-codes', ['security'])
  const start = useChange('start-totp')
  // A new secret opens the dialog that shows it; each replaces the one before.
  const [dialog, setDialog] = useState<NewTotp | 'remove'>()
  const [codes, setCodes] = useState<readonly string[]>()
  const close = () => setDialog(undefined)
  const show = (recoveryCodes: readonly string[]) => {
    close()
    setCodes(recoveryCodes)
  }
  return (
    <Row title={words.totp} note={totp.isOn ? words.totpOn(totp.recoveryCodesLeft) : words.totpOff}>
      <Mistake error={renew.error ?? start.error} />
      <div className={css.acts}>
        {totp.isOn ? (
          <>
            <Button
              isSmall
              disabled={renew.isPending}
              onClick={() => renew.mutate({}, { onSuccess: ({ recoveryCodes }) => show(recoveryCodes) })}
            >
              {words.renew}
            </Button>
            <Button isSmall look="danger" onClick={() => setDialog('remove')}>
              {words.remove}
            </Button>
          </>
        ) : (
          <Button
            isSmall
            look="ink"
            disabled={start.isPending}
            onClick={() => start.mutate({}, { onSuccess: setDialog })}
          >
            {words.setUp}
          </Button>
        )}
      </div>
      {dialog === 'remove' && (
        <AskChange
          change="remove-totp"
          refreshes={['security', 'me']}
          input={{}}
          title={words.removeTotpTitle}
          lead={words.removeTotpText}
          action={words.remove}
          isDangerous
          onClose={close}
        />
      )}
      {typeof dialog === 'object' && <SetUpTotp totp={dialog} onClose={close} onCodes={show} />}
      {codes !== undefined && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Row>
  )
}

function Passkeys({ passkeys }: { readonly passkeys: SecurityData['passkeys'] }) {
  const words = useScreenWords('account')
  const formats = useFormats()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <Row title={words.passkeys} note={passkeys.length === 0 ? words.passkeysNone : undefined}>
        <Button isSmall onClick={() => setAdding(true)}>
          {words.addPasskey}
        </Button>
        {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      </Row>
      {passkeys.map((passkey) => {
        const added = formats.day(passkey.createdAt)
        const note =
          passkey.usedAt === null ? words.passkeyUnused(added) : words.passkeyUsed(added, formats.ago(passkey.usedAt))
        return (
          <Row key={passkey.id} title={passkey.name} note={note}>
            <RemovePasskey passkey={passkey} />
          </Row>
        )
      })}
    </>
  )
}

function RemovePasskey({ passkey: { id, name } }: { readonly passkey: SecurityData['passkeys'][number] }) {
  const words = useScreenWords('account')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button isSmall look="danger" onClick={() => setAsking(true)}>
        {words.remove}
      </Button>
      {isAsking && (
        <AskChange
          change="remove-passkey"
          refreshes={['security', 'me']}
          input={{ id }}
          title={words.removePasskeyTitle(name)}
          lead={words.removePasskeyText}
          action={words.remove}
          isDangerous
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function Telegram({ telegram }: { readonly telegram: SecurityData['telegram'] }) {
  const words = useScreenWords('account')
  const start = useChange('start-telegram')
  const [dialog, setDialog] = useState<BotLink | 'remove'>()
  const close = () => setDialog(undefined)
  if (!telegram.isAvailable) return <Row title={words.telegram} note={words.telegramNone} />
  return (
    <Row title={words.telegram} note={telegram.isOn ? words.telegramOn(telegram.name) : words.telegramOff}>
      <Mistake error={start.error} />
      {telegram.isOn ? (
        <Button isSmall look="danger" onClick={() => setDialog('remove')}>
          {words.remove}
        </Button>
      ) : (
        <Button isSmall disabled={start.isPending} onClick={() => start.mutate({}, { onSuccess: setDialog })}>
          {words.link}
        </Button>
      )}
      {typeof dialog === 'object' && !telegram.isOn && <LinkTelegram bot={dialog} onClose={close} />}
      {dialog === 'remove' && (
        <AskChange
          change="remove-telegram"
          refreshes={['security', 'me']}
          input={{}}
          title={words.removeTelegramTitle}
          lead={words.removeTelegramText}
          action={words.remove}
          isDangerous
          onClose={close}
        />
      )}
    </Row>
  )
}
