import type { ReactNode } from 'react'
import { CodeBlock, CodeTitle, CopyButton } from '../../parts/text/Code.tsx'
import { Section } from '../../parts/text/Page.tsx'
import { useScreenWords } from '../../words/words.ts'
import type { ShownTrunk } from './trunk.ts'
import css from './trunks.module.css'

// What a carrier needs from us, and how our calls look to it.
export function ForCarrier({ trunk }: { readonly trunk: ShownTrunk }) {
  const words = useScreenWords('trunks')
  const { user, hasPassword, outboundRegistration } = trunk
  const auth =
    user === null || !hasPassword
      ? words.auths.address
      : outboundRegistration
        ? words.auths.register(user)
        : words.auths.digest(user)
  return (
    <Section title={words.carrier} lead={words.carrierLead}>
      <OurAddress trunk={trunk} />
      <dl className={css.facts}>
        <Fact name={words.auth}>{auth}</Fact>
        <Fact name={words.callerId}>
          {`${words.formats[trunk.callerFormat]} ${words.callerIds[trunk.callerIdHeader]}`}
        </Fact>
        <Fact name={words.dialled}>{words.formats[trunk.calledFormat]}</Fact>
        <Fact name={words.codecs}>{words.codecList(trunk.srtp)}</Fact>
        <Fact name={words.dialString}>
          <code>{trunk.dialString}</code>
        </Fact>
      </dl>
      <div className={css.invite}>
        <CodeBlock
          text={trunk.sampleInvite}
          label={words.invite}
          bar={
            <>
              <CodeTitle>{words.invite}</CodeTitle>
              <CopyButton text={trunk.sampleInvite} />
            </>
          }
        />
      </div>
    </Section>
  )
}

function OurAddress({ trunk: { ourAddresses } }: { readonly trunk: ShownTrunk }) {
  const words = useScreenWords('trunks')
  return (
    <div className={css.allow}>
      <small>{words.allow}</small>
      {ourAddresses.length === 0 ? (
        <p>{words.allowNone}</p>
      ) : (
        ourAddresses.map((address) => (
          <p key={address}>
            <code>{address}</code>
            <CopyButton text={address} isIcon />
          </p>
        ))
      )}
    </div>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
