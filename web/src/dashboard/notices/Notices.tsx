import { useIsBuilder } from '../../access.ts'
import { Toggle } from '../../parts/forms/Form.tsx'
import { PageHead, Row, Section } from '../../parts/text/Page.tsx'
import { Loaded, Mistake } from '../../parts/text/State.tsx'
import { useChange, useRead } from '../../queries.ts'
import { allOf } from '../../words/roles.ts'
import { useLanguage, useScreenWords } from '../../words/words.ts'
import { type Channel, Channels, type NoticesData } from './Channels.tsx'
import css from './notices.module.css'

type Kind = NoticesData['kinds'][number]

export function Notices() {
  const words = useScreenWords('notices')
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Loaded query={useRead('notices')}>
        {(data) => (
          <>
            <Channels data={data} />
            <Section title={words.what} lead={words.whatLead}>
              {data.kinds.map((kind) => (
                <KindRow key={kind.kind} kind={kind} data={data} />
              ))}
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

function KindRow({ kind, data }: { readonly kind: Kind; readonly data: NoticesData }) {
  const words = useScreenWords('notices')
  const { mutate, isPending, variables, error } = useChange('set-notice', ['notices'])
  const { language } = useLanguage()
  const { title, note } = words.kinds[kind.kind]
  const channels = useChannels(kind, data)
  // Shown as pressed at once.
  const isOn = (channel: Channel) => (isPending && variables.channel === channel ? variables.isOn : kind[channel])
  return (
    <Row title={title} note={kind.isForRole ? note : words.goesTo(allOf(language, kind.readers))}>
      <Mistake error={error} />
      <div className={css.switches}>
        {channels.map((channel) => (
          <span key={channel}>
            <small>{words.channelNames[channel]}</small>
            <Toggle
              label={words.toggle(title, words.channelNames[channel])}
              isOn={isOn(channel)}
              isDisabled={isPending}
              onChange={(next) => mutate({ kind: kind.kind, channel, isOn: next })}
            />
          </span>
        ))}
      </div>
    </Row>
  )
}

// A sign-in concerns a person, so the account's receiver does not get it.
function useChannels({ kind, isForRole }: Kind, { telegram, webhook }: NoticesData): readonly Channel[] {
  const isBuilder = useIsBuilder()
  return [
    ...(isForRole ? (['email'] as const) : []),
    ...(isForRole && telegram.isOn ? (['telegram'] as const) : []),
    ...(isBuilder && webhook.isOn && kind !== 'new-sign-in' ? (['webhook'] as const) : []),
  ]
}
