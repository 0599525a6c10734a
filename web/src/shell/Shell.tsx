import { useRouterState } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLostSince } from '../connection.ts'
import { startLive } from '../live.ts'
import { classes } from '../parts/text/classes.ts'
import { useMe, useSells } from '../queries.ts'
import { useWords } from '../words/words.ts'
import { Banner } from './Banner.tsx'
import { ConfirmPerson } from './ConfirmPerson.tsx'
import { ConnectionLine } from './ConnectionLine.tsx'
import { Keys } from './Keys.tsx'
import { HomeLink, SideNav, TabNav } from './Navigation.tsx'
import { NoticeLine } from './NoticeLine.tsx'
import { usePageTitle } from './page-title.ts'
import { type Audience, isAt, placesOf, type Traffic } from './places.ts'
import css from './shell.module.css'
import { useKeys } from './use-keys.ts'
import { useSwitchTraffic, useTraffic } from './use-traffic.ts'
import { ViewBar } from './ViewBar.tsx'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

export function Shell({ audience, children }: { readonly audience: Audience; readonly children: ReactNode }) {
  const words = useWords()
  const traffic = useTraffic()
  const isViewing = useMe().viewUntil !== null
  const [open, setOpen] = useState<'palette' | 'keys'>()
  useShellTitle(audience, traffic)
  const isSandbox = audience === 'dashboard' && traffic === 'test'
  const isLost = useLostSince() !== undefined
  useEffect(startLive, [])
  useKeys({ audience, traffic, onFind: () => setOpen('palette'), onHelp: () => setOpen('keys') })
  const close = () => setOpen(undefined)
  return (
    <div
      className={classes(
        css.frame,
        !isSandbox && css.live,
        audience === 'console' && css.console,
        isViewing && css.viewing,
        isLost && css.isLost,
      )}
    >
      <a className="skip" href="#main">
        {words.shell.skip}
      </a>
      <ViewBar />
      {isSandbox && <div className={css.band} aria-hidden="true" />}
      <TopBar audience={audience} traffic={traffic} onFind={() => setOpen('palette')} />
      <SideNav audience={audience} traffic={traffic} onFind={() => setOpen('palette')} />
      <div className={css.sheet}>
        <ConnectionLine />
        <Banner audience={audience} traffic={traffic} />
        <main id="main" tabIndex={-1} className={css.main}>
          {children}
        </main>
      </div>
      <TabNav audience={audience} traffic={traffic} onMore={() => setOpen('palette')} />
      {open === 'palette' && (
        <Suspense fallback={null}>
          <Palette audience={audience} traffic={traffic} onClose={close} />
        </Suspense>
      )}
      {open === 'keys' && <Keys audience={audience} onClose={close} />}
      <ConfirmPerson />
      <NoticeLine />
    </div>
  )
}

function useShellTitle(audience: Audience, traffic: Traffic): void {
  const { nav, shell } = useWords()
  const { account } = useMe()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const place = placesOf(audience, useSells()).find((one) => isAt(one, traffic, pathname))
  const sandbox = audience === 'dashboard' && traffic === 'test' ? shell.sandbox : undefined
  usePageTitle([place && nav[place.name], sandbox, audience === 'console' ? shell.console : account?.name])
}

function TopBar({
  audience,
  traffic,
  onFind,
}: {
  readonly audience: Audience
  readonly traffic: Traffic
  readonly onFind: () => void
}) {
  const { shell } = useWords()
  const switchTraffic = useSwitchTraffic()
  const next = traffic === 'test' ? 'live' : 'test'
  return (
    <header className={css.top}>
      <HomeLink audience={audience} />
      {audience === 'dashboard' && (
        <button type="button" className={css.pill} onClick={() => switchTraffic(next)}>
          <i className={traffic === 'live' ? css.dot : css.swatch} />
          {traffic === 'live' ? shell.live : shell.sandbox}
        </button>
      )}
      <button type="button" className={css.round} aria-label={shell.find} onClick={onFind}>
        <Search size={18} />
      </button>
    </header>
  )
}
