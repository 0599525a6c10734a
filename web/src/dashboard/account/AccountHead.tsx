import { PageHead } from '../../parts/text/Page.tsx'
import { PageTabs } from '../../parts/text/PageTabs.tsx'
import { useMe } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'

const tabs = ['security', 'members', 'profile'] as const

export function AccountHead() {
  const words = useScreenWords('account')
  const traffic = useTraffic()
  const { account, user } = useMe()
  return (
    <>
      <PageHead title={words.title} lead={user?.email} />
      {account !== null && (
        <PageTabs
          label={words.tabsLabel}
          of={tabs.map((tab) => ({ to: dashboardAddress(`account/${tab}`, traffic), text: words.tabs[tab] }))}
        />
      )}
    </>
  )
}
