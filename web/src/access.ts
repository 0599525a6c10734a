// What the person may do, by the contract. The server decides; the pages only do not offer what it would refuse.

import { type MemberRight, memberRights, type OperatorRight, operatorRights } from '@ringproof/contract/web/access.ts'
import { useMe } from './queries.ts'

export const useIsBuilder = () => useMay('build')
export const useIsPayer = () => useMay('pay')
export const useIsOwner = () => useMay('manage')
export const useIsHelper = () => useOperatorMay('help')
export const useIsAdmin = () => useOperatorMay('administer')

function useMay(right: MemberRight): boolean {
  return memberRights(useMe().account?.role).includes(right)
}

function useOperatorMay(right: OperatorRight): boolean {
  return operatorRights(useMe().user?.operatorRole).includes(right)
}
