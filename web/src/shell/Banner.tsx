import { Link, useRouterState } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useMe, useRead } from '../queries.ts'
import { useWords } from '../words/words.ts'
import { type Audience, dashboardAddress, type Traffic } from './places.ts'
import css from './shell.module.css'

type BannerProps = { readonly audience: Audience; readonly traffic: Traffic }

// One line under the band, never two: what matters most.
export function Banner(props: BannerProps) {
  const { close } = useWords()
  const [closed, setClosed] = useState<string>()
  const line = useBannerLine(props)
  const isThere = useRouterState({ select: (state) => state.location.pathname === line?.to })
  if (line === undefined || line.text === closed || isThere) return null
  return (
    <div className={css.banner} role="status">
      <p>{line.text}</p>
      <Link to={line.to}>{line.act}</Link>
      {line.isClosable && (
        <button type="button" aria-label={close} onClick={() => setClosed(line.text)}>
          <X size={15} />
        </button>
      )}
    </div>
  )
}

function useBannerLine({ audience, traffic }: BannerProps) {
  const { shell } = useWords()
  const { user, account } = useMe()
  const services = useServices(account !== null)
  const to = dashboardAddress('account/security', traffic)
  if (user?.mustAddFactor === true) return { text: shell.noFactor, act: shell.noFactorAct, to, isClosable: false }
  if (audience === 'console' || account === null) return undefined
  if (account.closedAt !== null) {
    const address = dashboardAddress('account/profile', traffic)
    return { text: shell.accountClosed, act: shell.accountClosedAct, to: address, isClosable: true }
  }
  const risky = services?.find(({ isLiveWithTestNumbers }) => isLiveWithTestNumbers)
  if (risky !== undefined && traffic === 'live') {
    const address = dashboardAddress('services', traffic)
    return { text: shell.testNumbers(risky.name), act: shell.testNumbersAct, to: address, isClosable: true }
  }
  if (account.mustVerifyPhone && traffic === 'live') {
    const address = dashboardAddress('account/profile', traffic)
    return { text: shell.verifyPhone, act: shell.verifyPhoneAct, to: address, isClosable: true }
  }
  return undefined
}

function useServices(isMember: boolean) {
  return useRead('services', isMember).data?.services
}
