import type { WebOutput } from '@ringproof/contract/web/api.ts'

export type Service = WebOutput<'services'>['services'][number]
export type Key = Service['keys'][number]
