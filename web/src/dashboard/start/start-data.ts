import type { WebOutput } from '@ringproof/contract/web/api.ts'

export type StartData = WebOutput<'start'>
export type StepName = keyof StartData['steps']
