import type { purposes } from '@ringproof/contract/lists/installation.ts'

export type Purpose = (typeof purposes)[number]
