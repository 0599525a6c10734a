// Who may call an endpoint of the internal API. The server refuses everybody else, and a test calls every endpoint as every kind of
// visitor.

// What a person may do in an account.
export const memberRoles = ['owner', 'developer', 'accountant', 'viewer'] as const
export type MemberRole = (typeof memberRoles)[number]

// What a person may do in the whole installation.
export const operatorRoles = ['admin', 'support', 'viewer'] as const
export type OperatorRole = (typeof operatorRoles)[number]

export type Access =
  | { readonly kind: 'anyone' }
  // The password was right; the second step is still open.
  | { readonly kind: 'password' }
  | { readonly kind: 'user' }
  | { readonly kind: 'member'; readonly roles: readonly MemberRole[] }
  | { readonly kind: 'operator'; readonly roles: readonly OperatorRole[] }

export const anyone: Access = { kind: 'anyone' }
export const passwordGiven: Access = { kind: 'password' }
export const user: Access = { kind: 'user' }
export const everyMember: Access = { kind: 'member', roles: memberRoles }
export const builders: Access = { kind: 'member', roles: ['owner', 'developer'] }
// Who pays.
export const payers: Access = { kind: 'member', roles: ['owner', 'accountant'] }
export const owners: Access = { kind: 'member', roles: ['owner'] }
export const everyOperator: Access = { kind: 'operator', roles: operatorRoles }
export const admins: Access = { kind: 'operator', roles: ['admin'] }
// Who helps customers: everything but money and the network's settings.
export const helpers: Access = { kind: 'operator', roles: ['admin', 'support'] }
