import { Outlet, useRouter } from '@tanstack/react-router'
import { Compass, Lock, UserRoundX } from 'lucide-react'
import { buttonClass } from '../parts/forms/Button.tsx'
import { Empty, Failure } from '../parts/text/State.tsx'
import { useMe } from '../queries.ts'
import { useWords } from '../words/words.ts'
import css from './frames.module.css'
import { Shell } from './Shell.tsx'

// What stands around the screens: nothing before sign-in, the shell after it.

export function Outside() {
  return <Outlet />
}

export function Dashboard() {
  const { state } = useWords()
  const { account, user } = useMe()
  // An operator sets up a second factor on the page of the dashboard, account or not.
  const isOpen = account !== null || user?.operatorRole !== null
  return (
    <Shell audience="dashboard">
      {isOpen ? <Outlet /> : <Empty icon={UserRoundX} title={state.noAccount} text={state.noAccountText} isPage />}
    </Shell>
  )
}

export function Console() {
  const { state } = useWords()
  const { user } = useMe()
  const isOperator = user !== null && user.operatorRole !== null
  return (
    <Shell audience={isOperator ? 'console' : 'dashboard'}>
      {isOperator ? <Outlet /> : <Empty icon={Lock} title={state.operatorsOnly} isPage />}
    </Shell>
  )
}

export function Missing() {
  const { state } = useWords()
  return (
    <main className={css.alone}>
      <Empty icon={Compass} title={state.missing} text={state.missingText} isPage>
        <a className={buttonClass('ink')} href="/dashboard">
          {state.toStart}
        </a>
      </Empty>
    </main>
  )
}

export function RouteFailure() {
  const router = useRouter()
  return (
    <div className={css.alone}>
      <Failure
        isPage
        onRetry={() => {
          router.invalidate().catch(() => undefined)
        }}
      />
    </div>
  )
}
