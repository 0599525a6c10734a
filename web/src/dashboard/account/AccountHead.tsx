import { Link } from '@tanstack/react-router'
import { PageHead } from '../../parts/text/Page.tsx'
import { useMe } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './account.module.css'

const tabs = ['security', 'members', 'profile'] as const

export function AccountHead() {
  const words = useScreenWords('account')
  const traffic = useTraffic()
  const { account, user } = useMe()
  return (
    <>
      <PageHead title={words.title} lead={user?.email} />
      {account !== null && (
        <nav className={css.tabs} aria-label={words.tabsLabel}>
          {tabs.map((tab) => (
            <Link key={tab} to={dashboardAddress(`account/${tab}`, traffic)}>
              {words.tabs[tab]}
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}
