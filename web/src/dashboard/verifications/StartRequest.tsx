// The request that started the verification, and its response, as the API log keeps them.

import { Link } from '@tanstack/react-router'
import { Loaded } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import { RequestBody } from '../log/Opened.tsx'
import type { Shown } from './shown.ts'
import css from './verification.module.css'

export function StartRequest({ shown }: { readonly shown: Shown }) {
  const { request: words } = useScreenWords('verification')
  const traffic = useTraffic()
  const query = useReadWith('verification-request', { verificationId: String(shown.id) })
  return (
    <section className={css.request}>
      <h2>{words.title}</h2>
      <Loaded query={query}>
        {({ request }) =>
          request === null ? (
            <p className={css.foot}>{words.none}</p>
          ) : (
            <>
              <p className={css.foot}>
                {words.note} <Link to={dashboardAddress(`log/${request.id}`, traffic)}>{request.id}</Link>
              </p>
              <RequestBody request={request} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}
