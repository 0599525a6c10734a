// What was said on the wire, as long as it is stored: of failed calls always, of others if the operator keeps all.

import { useFormats } from '../../formats.ts'
import { SipFlow } from '../../parts/phone/SipFlow.tsx'
import { sipFlowMessage, withSilences } from '../../parts/phone/sip-flow-rows.ts'
import { Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import type { Shown } from './shown.ts'
import css from './verification.module.css'

export function Wire({ shown }: { readonly shown: Shown }) {
  const { wire: words } = useScreenWords('verification')
  const formats = useFormats()
  const query = useReadWith('verification-messages', { verificationId: String(shown.id) })
  return (
    <section className={css.wire}>
      <h2>{words.title}</h2>
      <Loaded query={query}>
        {({ messages }) =>
          messages.length === 0 ? (
            <p className={css.foot}>{words.none}</p>
          ) : (
            <>
              <p className={css.foot}>{words.note}</p>
              <SipFlow
                rows={withSilences(messages.map(sipFlowMessage))}
                heads={[
                  { name: words.you },
                  { name: 'Ringproof' },
                  { name: words.carrier },
                  { name: words.phone, note: shown.phoneMask },
                ]}
                words={{ label: words.title, nothingFor: words.nothingFor, ringsFor: words.ringsFor }}
                seconds={formats.seconds}
              />
            </>
          )
        }
      </Loaded>
    </section>
  )
}
