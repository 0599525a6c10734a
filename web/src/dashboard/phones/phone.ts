import type { WebOutput } from '@ringproof/contract/web/api.ts'

export type PhonesData = WebOutput<'phones'>
export type Phone = PhonesData['phones'][number]
