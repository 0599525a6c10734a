import { CodeBlock, CodeTitle, CopyButton } from '../../parts/text/Code.tsx'
import { Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useLanguage, useScreenWords, useWords } from '../../words/words.ts'
import { withoutTicks } from './Groups.tsx'
import css from './log.module.css'
import type { RequestDetail } from './log-data.ts'
import { SettingLink } from './SettingLink.tsx'

export function Opened({ id }: { readonly id: string }) {
  const query = useReadWith('api-request', { id })
  return <Loaded query={query}>{(request) => <RequestBody request={request} />}</Loaded>
}

// A request as it was sent and as it was answered.
export function RequestBody({ request }: { readonly request: RequestDetail }) {
  const words = useScreenWords('log')
  const { ms } = useWords()
  const { language } = useLanguage()
  const { refusal, auth, userAgent, serviceName, otherFields, isUnreadable } = request
  return (
    <div className={css.open}>
      <div className={css.said}>
        <div>
          <h3>{refusal === null ? words.servedIn(`${request.ms} ${ms}`) : refusal.title[language]}</h3>
          {refusal !== null && <p>{withoutTicks(refusal.fix[language])}</p>}
        </div>
        <span>
          {refusal !== null && <SettingLink refusal={refusal} serviceId={request.serviceId} />}
          <CopyButton text={request.curl}>{words.curl}</CopyButton>
          <CopyButton text={request.id}>{words.copyId}</CopyButton>
        </span>
      </div>
      <div className={css.pair}>
        <CodeBlock
          label={words.request}
          text={request.request}
          bar={
            <>
              <CodeTitle>{words.request}</CodeTitle>
              <CopyButton isIcon text={request.request} />
            </>
          }
        />
        <CodeBlock
          label={words.response}
          text={request.response}
          bar={
            <>
              <CodeTitle>{words.responseWith(request.httpStatus)}</CodeTitle>
              <CopyButton isIcon text={request.response} />
            </>
          }
        />
      </div>
      <p className={css.facts}>
        <Fact name={words.service} value={serviceName} />
        <Fact name={words.auth} value={words.schemes[auth]} />
        <Fact name={words.agent} value={userAgent} />
        <Fact name={words.from} value={request.address} />
        <Fact name={words.took} value={`${request.ms} ${ms}`} />
        <em>
          {isUnreadable ? `${words.unreadable} ` : otherFields > 0 ? `${words.otherFields(otherFields)} ` : ''}
          {words.masked}
        </em>
      </p>
    </div>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  if (value === '') return null
  return (
    <span>
      {name} <b>{value}</b>
    </span>
  )
}
