import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Link, useRouterState } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../formats.ts'
import { classes } from '../parts/text/classes.ts'
import { useLiveRead, useMe, useRead } from '../queries.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { type Audience, dashboardAddress, type Traffic } from './places.ts'
import css from './shell.module.css'

type BannerProps = { readonly audience: Audience; readonly traffic: Traffic }
type Announcement = WebOutput<'current-announcements'>['announcements'][number]
type Line = {
  readonly text: string
  readonly isClosable: boolean
  readonly severity?: Announcement['severity']
  readonly act?: { readonly text: string; readonly to: string }
}

const announcementsMs = 30_000
const rank: Readonly<Record<Announcement['severity'], number>> = { outage: 0, maintenance: 1, degraded: 2, info: 3 }

// One line under the band, never two: what matters most. One that was closed makes room for the next.
export function Banner(props: BannerProps) {
  const { close, shell } = useWords()
  const [closed, setClosed] = useState<readonly string[]>([])
  const own = useOwnLine(props)
  const announcements = useAnnouncements(props)
  const lines = own?.isClosable === false ? [own] : [...announcements, ...(own ? [own] : [])]
  const line = lines.find(({ text }) => !closed.includes(text))
  const isThere = useRouterState({ select: (state) => state.location.pathname === line?.act?.to })
  if (line === undefined || isThere) return null
  return (
    <div className={classes(css.banner, line.severity && css[line.severity])} role="status">
      <p>
        {line.severity && <b>{shell.severities[line.severity]}</b>}
        {line.text}
      </p>
      {line.act && <Link to={line.act.to}>{line.act.text}</Link>}
      {line.isClosable && (
        <button type="button" aria-label={close} onClick={() => setClosed([...closed, line.text])}>
          <X size={15} />
        </button>
      )}
    </div>
  )
}

// What the operator announces to all customers.
function useAnnouncements({ audience }: BannerProps): readonly Line[] {
  const { shell } = useWords()
  const { language } = useLanguage()
  const formats = useFormats()
  const { data } = useLiveRead('current-announcements', announcementsMs, audience === 'dashboard')
  const announcements = audience === 'dashboard' ? (data?.announcements ?? []) : []
  return announcements
    .toSorted((one, other) => rank[one.severity] - rank[other.severity])
    .map(({ text, severity, until }) => ({
      // Work that takes longer than planned has no known end.
      text:
        until === null || until < Date.now()
          ? text[language]
          : shell.announcedUntil(text[language], formats.dayClock(until)),
      severity,
      isClosable: true,
    }))
}

function useOwnLine({ audience, traffic }: BannerProps): Line | undefined {
  const { shell } = useWords()
  const { user, account } = useMe()
  const services = useServices(account !== null)
  const act = (text: string, path: string) => ({ text, to: dashboardAddress(path, traffic) })
  if (user?.mustAddFactor === true)
    return { text: shell.noFactor, act: act(shell.noFactorAct, 'account/security'), isClosable: false }
  if (audience === 'console' || account === null) return undefined
  if (account.closedAt !== null)
    return { text: shell.accountClosed, act: act(shell.accountClosedAct, 'account/profile'), isClosable: true }
  const risky = services?.find(({ isLiveWithTestNumbers }) => isLiveWithTestNumbers)
  if (risky !== undefined && traffic === 'live')
    return { text: shell.testNumbers(risky.name), act: act(shell.testNumbersAct, 'services'), isClosable: true }
  if (account.mustVerifyPhone && traffic === 'live')
    return { text: shell.verifyPhone, act: act(shell.verifyPhoneAct, 'account/profile'), isClosable: true }
  return undefined
}

function useServices(isMember: boolean) {
  return useRead('services', isMember).data?.services
}
