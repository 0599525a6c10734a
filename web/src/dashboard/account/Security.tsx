import { useState } from 'react'
import { useFormats } from '../../formats.ts'
import { AskChange } from '../../parts/forms/AskChange.tsx'
import { Button } from '../../parts/forms/Button.tsx'
import { isPasswordGood, PasswordField } from '../../parts/forms/PasswordField.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Row, Section } from '../../parts/text/Page.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useChange, useMe, useRead } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import { AccountHead } from './AccountHead.tsx'
import css from './account.module.css'
import { browserOf } from './browser-name.ts'
import { Factors } from './Factors.tsx'
import type { SecurityData } from './security-data.ts'

export function Security() {
  return (
    <>
      <AccountHead />
      <Loaded query={useRead('security')}>
        {(security) => (
          <>
            <Factors security={security} />
            <Password />
            <Sessions sessions={security.sessions} />
            <Log log={security.log} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Password() {
  const words = useScreenWords('account')
  const [isChanging, setChanging] = useState(false)
  return (
    <Section title={words.password} lead={words.passwordLead}>
      <Row title={hiddenPassword}>
        <Button isSmall onClick={() => setChanging(true)}>
          {words.change}
        </Button>
      </Row>
      {isChanging && <ChangePassword onClose={() => setChanging(false)} />}
    </Section>
  )
}

const hiddenPassword = '••••••••••••'

function ChangePassword({ onClose }: { readonly onClose: () => void }) {
  const words = useScreenWords('account')
  const { user } = useMe()
  const [password, setPassword] = useState('')
  const email = user?.email ?? ''
  return (
    <AskChange
      change="change-password"
      refreshes={['security']}
      input={{ password }}
      notice={words.passwordChanged}
      title={words.newPassword}
      lead={words.passwordLead}
      action={words.change}
      isReady={isPasswordGood(password, email)}
      onClose={onClose}
    >
      <PasswordField label={words.newPassword} email={email} value={password} isFirst onChange={setPassword} />
    </AskChange>
  )
}

function Sessions({ sessions }: { readonly sessions: SecurityData['sessions'] }) {
  const words = useScreenWords('account')
  const formats = useFormats()
  const end = useChange('end-session', ['security'])
  const endOthers = useChange('end-other-sessions', ['security'])
  const say = { onSuccess: () => showNotice({ text: words.ended }) }
  return (
    <Section
      title={words.sessions}
      lead={words.sessionsLead}
      action={
        sessions.length > 1 ? (
          <Button isSmall disabled={endOthers.isPending} onClick={() => endOthers.mutate({}, say)}>
            {words.endOthers}
          </Button>
        ) : undefined
      }
    >
      {sessions.map(({ id, isThis, address, userAgent, seenAt }) => (
        <Row
          key={id}
          title={browserOf(userAgent, words)}
          note={isThis ? `${words.thisOne}, ${address}` : words.session(address, formats.ago(seenAt))}
        >
          {!isThis && (
            <Button isSmall disabled={end.isPending} onClick={() => end.mutate({ id }, say)}>
              {words.end}
            </Button>
          )}
        </Row>
      ))}
    </Section>
  )
}

function Log({ log }: { readonly log: SecurityData['log'] }) {
  const words = useScreenWords('account')
  const formats = useFormats()
  return (
    <Section title={words.log} lead={words.logLead}>
      {log.length === 0 ? (
        <Row title={words.logEmpty} />
      ) : (
        <ol className={css.log}>
          {log.map(({ action, address, userAgent, at, who }) => (
            <li key={`${at} ${action} ${who}`}>
              <time>{formats.dayClock(at)}</time>
              <b>{words.actions[action] ?? action}</b>
              <span>
                {[who, address, userAgent === '' ? '' : browserOf(userAgent, words)].filter(Boolean).join(', ')}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
