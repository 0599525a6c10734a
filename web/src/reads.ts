import type { EndpointName } from '@ringproof/contract/web/api.ts'

// Put here by the build, from the contract.
declare const readNames: readonly EndpointName[]

// The endpoints that are read with GET; everything else is a change with POST.
export const reads: ReadonlySet<EndpointName> = new Set(readNames)
