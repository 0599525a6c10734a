// What the person may do. The server decides; the pages only do not offer what it would refuse.

import type { Me } from './queries.ts'
import { useMe } from './queries.ts'

export function useIsBuilder(): boolean {
  const role = useMe().account?.role
  return role === 'owner' || role === 'developer'
}

// Who pays.
export function useIsPayer(): boolean {
  const role = useMe().account?.role
  return role === 'owner' || role === 'accountant'
}

export function useIsOwner(): boolean {
  return useMe().account?.role === 'owner'
}

export function useIsAdmin(): boolean {
  return isAdmin(useMe())
}

// Who helps customers.
export function useIsHelper(): boolean {
  const role = useMe().user?.operatorRole
  return role === 'admin' || role === 'support'
}

function isAdmin({ user }: Me): boolean {
  return user?.operatorRole === 'admin'
}
