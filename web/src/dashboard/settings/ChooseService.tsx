import { Link, Navigate } from '@tanstack/react-router'
import { ChevronRight, KeyRound } from 'lucide-react'
import { TestTag } from '../../parts/charts/Ring.tsx'
import { PageHead } from '../../parts/text/Page.tsx'
import { Empty, Loaded } from '../../parts/text/State.tsx'
import { useRead } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useFilters } from '../../shell/use-filters.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './settings.module.css'

// An error page knows the setting and not the service.
export function ChooseService() {
  const words = useScreenWords('settings')
  const traffic = useTraffic()
  const [{ mark }] = useFilters()
  const query = useRead('services')
  const addressOf = (id: number) => dashboardAddress(`services/${id}/settings`, traffic)
  const search = mark === undefined ? {} : { mark }
  return (
    <Loaded query={query}>
      {({ services }) => {
        const [first, ...others] = services
        if (first === undefined)
          return (
            <Empty icon={KeyRound} title={words.none} text={words.noneText} isPage>
              <Link to={dashboardAddress('services', traffic)}>{words.toServices}</Link>
            </Empty>
          )
        if (others.length === 0) return <Navigate to={addressOf(first.id)} search={search} replace />
        return (
          <>
            <PageHead title={words.which} lead={words.whichLead} />
            <ul className={css.choices}>
              {services.map(({ id, name, isTest }) => (
                <li key={id}>
                  <Link to={addressOf(id)} search={search}>
                    <b>{name}</b>
                    <code>{id}</code>
                    {isTest && <TestTag />}
                    <ChevronRight size={15} aria-hidden="true" />
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )
      }}
    </Loaded>
  )
}
