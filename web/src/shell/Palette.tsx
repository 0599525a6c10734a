import { useNavigate } from '@tanstack/react-router'
import { Finder } from '../parts/Finder.tsx'
import { useMe } from '../queries.ts'
import { useWords } from '../words/words.ts'
import { type Audience, addressOf, readyPlaces, type Traffic } from './places.ts'

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
      items={items}
      onClose={onClose}
    />
  )
}
