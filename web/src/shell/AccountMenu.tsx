import { languages, themes } from '@ringproof/contract/lists/people.ts'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { call } from '../api.ts'
import { Menu, MenuAction, MenuChoice, MenuRule } from '../parts/forms/Menu.tsx'
import { currentTheme, setTheme } from '../preferences.ts'
import { useMe } from '../queries.ts'
import { useLanguage } from '../words/words.ts'
import { initials } from './initials.ts'
import { type Audience, dashboardAddress } from './places.ts'
import css from './shell.module.css'
import { signOut } from './sign-out.ts'
import { useTraffic } from './use-traffic.ts'

export function AccountMenu({ audience }: { readonly audience: Audience }) {
  const { words, language, choose } = useLanguage()
  const { user, account } = useMe()
  const navigate = useNavigate()
  const traffic = useTraffic()
  const go = (to: string) => {
    navigate({ to }).catch(() => undefined)
  }
  const title =
    (audience === 'dashboard' ? account?.name : undefined) ?? (user?.name === '' ? user.email : user?.name) ?? ''
  return (
    <Menu
      triggerClass={css.who}
      side="top"
      align="start"
      trigger={
        <>
          <span className={css.face} aria-hidden="true">
            {initials(title)}
          </span>
          <span className={css.whoText}>
            <b>{title}</b>
            <small>{user?.email}</small>
          </span>
          <ChevronsUpDown size={14} />
        </>
      }
    >
      <MenuAction onClick={() => go(dashboardAddress('account/security', traffic))}>{words.nav.account}</MenuAction>
      {user?.operatorRole !== null && audience === 'dashboard' && (
        <MenuAction onClick={() => go('/console')}>{words.shell.toConsole}</MenuAction>
      )}
      {audience === 'console' && account !== null && (
        <MenuAction onClick={() => go('/dashboard')}>{words.shell.toDashboard}</MenuAction>
      )}
      <MenuRule />
      <AccountChoice />
      <ThemeChoice />
      <MenuRule />
      <MenuChoice
        label={words.shell.language}
        value={language}
        of={languages.map((value) => ({ value, text: words.languageNames[value] }))}
        onChange={(next) => {
          choose(next).catch(() => undefined)
        }}
      />
      <MenuRule />
      <MenuAction
        onClick={() => {
          signOut().catch(() => undefined)
        }}
      >
        {words.shell.signOut}
      </MenuAction>
    </Menu>
  )
}

// Only for people who belong to several accounts. Everything on the page belongs to one of them, so the page loads anew.
function AccountChoice() {
  const { words } = useLanguage()
  const { account, accounts } = useMe()
  if (accounts.length < 2) return null
  const choose = async (id: string) => {
    await call('choose-account', { accountId: Number(id) })
    location.assign('/dashboard')
  }
  return (
    <>
      <MenuChoice
        label={words.shell.switchAccount}
        value={String(account?.id ?? '')}
        of={accounts.map(({ id, name }) => ({ value: String(id), text: name }))}
        onChange={(id) => {
          choose(id).catch(() => undefined)
        }}
      />
      <MenuRule />
    </>
  )
}

function ThemeChoice() {
  const { words } = useLanguage()
  const [theme, setShown] = useState(currentTheme)
  return (
    <MenuChoice
      label={words.shell.theme}
      value={theme}
      of={themes.map((value) => ({ value, text: words.shell.themes[value] }))}
      onChange={(next) => {
        setTheme(next)
        setShown(next)
      }}
    />
  )
}
