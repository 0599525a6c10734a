import { languages, themes } from '@ringproof/contract/lists/people.ts'
import { useNavigate } from '@tanstack/react-router'
import { Languages, LogOut, SunMoon } from 'lucide-react'
import { Finder, type Found } from '../parts/tables/Finder.tsx'
import { setTheme } from '../preferences.ts'
import { useMe } from '../queries.ts'
import { useLanguage, useWords } from '../words/words.ts'
import { type Audience, addressOf, readyPlaces, type Traffic } from './places.ts'
import { signOut } from './sign-out.ts'

// Every screen by name.
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
  const navigate = useNavigate()
  const audiences: Audience[] = [
    ...(account === null ? [] : ['dashboard' as const]),
    ...(user?.operatorRole === null ? [] : ['console' as const]),
  ]
  const items = audiences
    .toSorted((one) => (one === audience ? -1 : 1))
    .flatMap((one) => readyPlaces(one))
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
      label={shell.findShort}
      placeholder={shell.placeholder}
      nothing={shell.nothing}
      note={shell.findNote}
      items={[...items, ...useSettings()]}
      onClose={onClose}
    />
  )
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
