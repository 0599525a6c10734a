import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
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
  const isAccountPage = useRouterState({ select: ({ location }) => location.pathname.includes('/account/') })
  if (account === null && user !== null && user.operatorRole !== null) {
    // An operator sets up a second factor on the page of the dashboard, account or not.
    return <Shell audience="console">{isAccountPage ? <Outlet /> : <ForCustomers />}</Shell>
  }
  return (
    <Shell audience="dashboard">
      {account === null ? (
        <Empty icon={UserRoundX} title={state.noAccount} text={state.noAccountText} isPage />
      ) : (
        <Outlet />
      )}
    </Shell>
  )
}

function ForCustomers() {
  const { state, shell } = useWords()
  return (
    <Empty icon={UserRoundX} title={state.forCustomers} text={state.forCustomersText} isPage>
      <Link className={buttonClass('ink')} to="/console">
        {shell.toConsole}
      </Link>
    </Empty>
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
