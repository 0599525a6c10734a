import { errorPages } from '@ringproof/contract/error-pages.ts'
import { languages, themes } from '@ringproof/contract/lists/people.ts'
import { useNavigate } from '@tanstack/react-router'
import { BookOpen, KeyRound, Languages, List, LogOut, Plus, ScrollText, SunMoon } from 'lucide-react'
import { useIsBuilder } from '../access.ts'
import { Finder, type Found } from '../parts/tables/Finder.tsx'
import { showNotice } from '../parts/text/notice.ts'
import { setTheme } from '../preferences.ts'
import { useChange, useMe, useRead, useSells } from '../queries.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { type Audience, addressOf, dashboardAddress, placesOf, type Traffic } from './places.ts'
import { noteFound } from './searched.ts'
import { signOut } from './sign-out.ts'
import { readTyped } from './typed.ts'

type Place = { readonly audience: Audience; readonly traffic: Traffic }

// Screens, services and commands by name; and by what was pasted: a call, a request, an error.
export function Palette({
  audience,
  traffic,
  onClose,
}: {
  readonly audience: Audience
  readonly traffic: Traffic
  readonly onClose: () => void
}) {
  const { shell, nav } = useWords()
  const { user, account } = useMe()
  const sells = useSells()
  const navigate = useNavigate()
  const itemsFor = useTyped({ audience, traffic }, sells)
  const audiences: Audience[] = [
    ...(account === null ? [] : ['dashboard' as const]),
    ...(user?.operatorRole === null ? [] : ['console' as const]),
  ]
  const items = audiences
    .toSorted((one) => (one === audience ? -1 : 1))
    .flatMap((one) => placesOf(one, sells))
    .map((place) => ({
      key: `${place.audience} ${place.name}`,
      text: nav[place.name],
      icon: place.icon,
      group:
        place.audience === 'console' ? shell.toConsole : place.group === undefined ? '' : shell.groups[place.group],
      open: () => {
        const to = addressOf(place, traffic)
        if (place.path.startsWith('/')) location.assign(to)
        else navigate({ to }).catch(() => undefined)
      },
    }))
  return (
    <Finder
      label={shell.find}
      placeholder={shell.placeholder}
      nothing={shell.nothing}
      note={shell.findNote}
      items={[...items, ...useServices(traffic), ...useSettings()]}
      itemsFor={itemsFor}
      onClose={onClose}
    />
  )
}

function useServices(traffic: Traffic): Found[] {
  const { shell, nav } = useWords()
  const { account } = useMe()
  const navigate = useNavigate()
  const isBuilder = useIsBuilder()
  const { data } = useRead('services', account !== null)
  const open = (path: string) => {
    navigate({ href: dashboardAddress(path, traffic) }).catch(() => undefined)
  }
  const services = (data?.services ?? []).map(({ id, name }) => ({
    key: `service ${id}`,
    text: name,
    icon: KeyRound,
    group: nav.services,
    open: () => open(`services/${id}`),
  }))
  const create = { key: 'create', text: shell.newService, icon: Plus, group: '' }
  return isBuilder ? [...services, { ...create, open: () => open('services?new=1') }] : services
}

function useTyped(place: Place, sells: boolean): (text: string) => readonly Found[] {
  const { shell, nav } = useWords()
  const { language } = useLanguage()
  const { account } = useMe()
  const navigate = useNavigate()
  const findCalls = useFindCalls(place)
  return (text) => {
    const typed = readTyped(text, sells)
    if (typed?.kind === 'error') {
      const { code } = typed
      const open = () => location.assign(`/docs/errors/${code}`)
      const sentence = `${shell.error(text)}: ${errorPages[code].title[language]}`
      return [{ key: 'typed', text: sentence, icon: BookOpen, group: nav.docs, open }]
    }
    if (typed?.kind === 'request') {
      if (account === null) return []
      const open = () => {
        navigate({ to: dashboardAddress(`log/${typed.id}`, place.traffic) }).catch(() => undefined)
      }
      return [{ key: 'typed', text: shell.request(text), icon: ScrollText, group: nav.log, open }]
    }
    if (typed === undefined) return []
    const group = place.audience === 'console' ? nav.calls : nav.verifications
    return [{ key: 'typed', text: shell.findCalls(text), icon: List, group, open: () => findCalls(text) }]
  }
}

// As the lists find them: what was typed goes in a body.
function useFindCalls({ audience, traffic }: Place): (text: string) => void {
  const { shell } = useWords()
  const navigate = useNavigate()
  const own = useChange('find-verifications')
  const all = useChange('find-calls')
  const findOwn = async (text: string) => {
    const answer = await own.mutateAsync({ text })
    const found = new URLSearchParams(noteFound(text, answer))
    await navigate({ href: dashboardAddress(`verifications?${found}`, traffic) })
  }
  const findAll = async (text: string) => {
    const { ids } = await all.mutateAsync({ text })
    await navigate({ href: `/console/calls?ids=${ids.length === 0 ? '0' : ids.join(',')}` })
  }
  return (text) => {
    const found = audience === 'console' ? findAll(text) : findOwn(text)
    found.catch(() => showNotice({ text: shell.notSearched }))
  }
}

// What the account menu offers, for screens without it and for hands on the keyboard.
function useSettings(): Found[] {
  const { words, language, choose } = useLanguage()
  const { shell, languageNames } = words
  const others = languages.filter((one) => one !== language)
  return [
    ...themes.map((theme) => ({
      key: theme,
      text: `${shell.theme}: ${shell.themes[theme]}`,
      icon: SunMoon,
      group: '',
      open: () => setTheme(theme),
    })),
    ...others.map((one) => ({
      key: one,
      text: languageNames[one],
      icon: Languages,
      group: shell.language,
      open: () => {
        choose(one).catch(() => undefined)
      },
    })),
    {
      key: 'sign-out',
      text: shell.signOut,
      icon: LogOut,
      group: '',
      open: () => {
        signOut().catch(() => undefined)
      },
    },
  ]
}
