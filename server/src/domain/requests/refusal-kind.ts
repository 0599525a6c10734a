import { type RefusalName, refusals } from '@ringproof/contract/errors.ts'

// The installation refused it, not because of the request.
export function isOurFault(name: RefusalName): boolean {
  return refusals[name].status >= 500
}
