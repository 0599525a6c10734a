import type { WebOutput } from '@ringproof/contract/web/api.ts'

export type LogSummary = WebOutput<'api-errors'>
export type ListedRequest = WebOutput<'api-requests'>['requests'][number]
export type RequestDetail = WebOutput<'api-request'>
