import { Link, useRouterState } from '@tanstack/react-router'
import { Ellipsis, Search } from 'lucide-react'
import { useFormats } from '../formats.ts'
import { Brand } from '../parts/text/Brand.tsx'
import { useMe, useRead, useSells } from '../queries.ts'
import { useWords } from '../words/words.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { type Audience, addressOf, isAt, type Place, shownPlaces, type Traffic, tabPlaces } from './places.ts'
import css from './shell.module.css'
import { useSwitchTraffic } from './use-traffic.ts'

type NavigationProps = { readonly audience: Audience; readonly traffic: Traffic }

// The wall at the left; below 861 px it gives way to the tabs.
export function SideNav({ audience, traffic, onFind }: NavigationProps & { readonly onFind: () => void }) {
  const { shell } = useWords()
  const places = shownPlaces(audience, useIsStarted(), useSells())
  const groups = [...new Set(places.map(({ group }) => group))]
  return (
    <nav className={css.side} aria-label={shell.menu}>
      <HomeLink audience={audience} />
      {audience === 'dashboard' && <TrafficSwitch traffic={traffic} />}
      <button type="button" className={css.find} onClick={onFind}>
        <Search size={15} />
        <span>{shell.find}</span>
        <kbd>{findKey}</kbd>
      </button>
      {groups.map((group) => (
        <div key={group ?? 'first'} className={css.group}>
          {group !== undefined && <p>{shell.groups[group]}</p>}
          {places
            .filter((place) => place.group === group)
            .map((place) => (
              <NavItem key={place.name} place={place} traffic={traffic} />
            ))}
        </div>
      ))}
      <div className={css.foot}>
        <AccountMenu audience={audience} />
      </div>
    </nav>
  )
}

const findKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

function TrafficSwitch({ traffic }: { readonly traffic: Traffic }) {
  const { shell } = useWords()
  const switchTraffic = useSwitchTraffic()
  return (
    <div className={css.modes} role="group" aria-label={shell.traffic}>
      <button type="button" aria-pressed={traffic === 'test'} onClick={() => switchTraffic('test')}>
        <i className={css.swatch} />
        {shell.sandbox}
      </button>
      <button type="button" aria-pressed={traffic === 'live'} onClick={() => switchTraffic('live')}>
        <i className={css.dot} />
        {shell.live}
      </button>
    </div>
  )
}

export function HomeLink({ audience }: { readonly audience: Audience }) {
  const { shell } = useWords()
  return (
    <Link to={audience === 'console' ? '/console' : '/dashboard'} className={css.brand}>
      <Brand />
      {audience === 'console' && <small>{shell.console}</small>}
    </Link>
  )
}

function NavItem({ place, traffic }: { readonly place: Place; readonly traffic: Traffic }) {
  const { nav } = useWords()
  const note = useNavNote(place)
  const active = useActive(place, traffic)
  const inside = (
    <>
      <place.icon size={16} strokeWidth={1.75} />
      {nav[place.name]}
      {note !== undefined && <em>{note}</em>}
    </>
  )
  const to = addressOf(place, traffic)
  if (place.path.startsWith('/')) {
    return (
      <a className={css.item} href={to}>
        {inside}
      </a>
    )
  }
  return (
    <Link className={css.item} to={to} {...active}>
      {inside}
    </Link>
  )
}

function useNavNote({ name }: Place): string | undefined {
  const formats = useFormats()
  const { account } = useMe()
  const start = useStartSteps()
  if (name === 'start' && start !== undefined && start.done < start.all) return `${start.done}/${start.all}`
  return name === 'balance' && account !== null ? formats.money(account.balance) : undefined
}

function useStartSteps(): { readonly done: number; readonly all: number } | undefined {
  const { account } = useMe()
  const { data } = useRead('start', account !== null)
  if (data === undefined) return undefined
  const steps = Object.values(data.steps)
  return { done: steps.filter(({ doneAt }) => doneAt !== null).length, all: steps.length }
}

// Until it is known, as if: most people have done it long ago.
function useIsStarted(): boolean {
  const steps = useStartSteps()
  return steps === undefined || steps.done === steps.all
}

export function TabNav({ audience, traffic, onMore }: NavigationProps & { readonly onMore: () => void }) {
  const { nav, navShort, shell } = useWords()
  const short: Readonly<Record<string, string>> = navShort
  return (
    <nav className={css.tabs} aria-label={shell.menu}>
      {tabPlaces(audience, useIsStarted(), useSells()).map((place) => (
        <Tab key={place.name} place={place} traffic={traffic} text={short[place.name] ?? nav[place.name]} />
      ))}
      <button type="button" className={css.tab} onClick={onMore}>
        <i>
          <Ellipsis size={19} strokeWidth={1.75} />
        </i>
        <span>{shell.more}</span>
      </button>
    </nav>
  )
}

function Tab({ place, traffic, text }: { readonly place: Place; readonly traffic: Traffic; readonly text: string }) {
  return (
    <Link to={addressOf(place, traffic)} className={css.tab} {...useActive(place, traffic)}>
      <i>
        <place.icon size={19} strokeWidth={1.75} />
      </i>
      <span>{text}</span>
    </Link>
  )
}

// The router knows one address of a place; a place may have several.
function useActive(place: Place, traffic: Traffic) {
  const isActive = useRouterState({ select: ({ location }) => isAt(place, traffic, location.pathname) })
  return isActive ? ({ 'data-status': 'active', 'aria-current': 'page' } as const) : {}
}
