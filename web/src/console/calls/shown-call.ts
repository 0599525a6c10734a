import type { WebOutput } from '@ringproof/contract/web/api.ts'

export type ShownCall = WebOutput<'call'>
