import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../parts/forms/Button.tsx'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import type { LogSummary } from './log-data.ts'

type Refusal = LogSummary['groups'][number]['refusal']

// To the setting that lifts a refusal, if there is one. The subject of a refused country is its code.
export function SettingLink({
  refusal: { settings },
  serviceId,
  subject = '',
}: {
  readonly refusal: Refusal
  // Null: of several services.
  readonly serviceId: number | null
  readonly subject?: string
}) {
  const words = useScreenWords('log')
  const traffic = useTraffic()
  if (settings.length === 0) return null
  const mark = settings.map((name) => (name === 'geography' && subject !== '' ? `${name}.${subject}` : name)).join(',')
  const path = serviceId === null ? 'services/settings' : `services/${serviceId}/settings`
  return (
    <Link to={dashboardAddress(path, traffic)} search={{ mark }} className={buttonClass('plain', { isSmall: true })}>
      {words.openSetting}
    </Link>
  )
}
