// One choice for customers who move from another service with the client they have: the settings that its clients need.

import type { ServiceSettingName } from './service.ts'

type Settings = Readonly<Partial<Record<ServiceSettingName, string>>>

export const compatibilities = {
  ucaller: { 'id-alias': 'ucaller_id', 'status-style': 'ok', repeats: 'on' },
} as const satisfies Record<string, Settings>
export type Compatibility = keyof typeof compatibilities

export const compatibilityNames = Object.keys(compatibilities) as Compatibility[]
