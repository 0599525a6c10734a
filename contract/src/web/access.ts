// Who may do what with the internal API. The two tables are the only list of rights: the gate, what the server shows, who gets a
// notice, the pages and the sentences on them follow. They list what a role may do, so a new role may do nothing until its row says so.
// The server refuses everybody else, and a test calls every endpoint as every kind of visitor.

// In an account.
const memberRightList = [
  // Everything of the account, except codes.
  'read',
  // Codes of calls that are over, and the last digits of the numbers that called.
  'codes',
  // Services, keys, settings, virtual phones, webhooks, number check.
  'build',
  // Invoices and legal details.
  'pay',
  // Members, and the account itself.
  'manage',
] as const
export type MemberRight = (typeof memberRightList)[number]

const rightsOfMembers = {
  owner: memberRightList,
  developer: ['read', 'codes', 'build'],
  accountant: ['read', 'codes', 'pay'],
  viewer: ['read'],
} as const satisfies Readonly<Record<string, readonly MemberRight[]>>

// An operator who looks at a customer's dashboard. The gate refuses every change before it asks for a right.
export const viewRights: readonly MemberRight[] = ['read', 'build', 'pay', 'manage']

// In the whole installation.
const operatorRightList = [
  // Everything of the console, except codes.
  'read',
  // As in an account.
  'codes',
  // What helps customers: everything but money and the network's settings.
  'help',
  // Everything else.
  'administer',
] as const
export type OperatorRight = (typeof operatorRightList)[number]

const rightsOfOperators = {
  admin: operatorRightList,
  support: ['read', 'help'],
  viewer: ['read'],
} as const satisfies Readonly<Record<string, readonly OperatorRight[]>>

export type MemberRole = keyof typeof rightsOfMembers
export type OperatorRole = keyof typeof rightsOfOperators
export const memberRoles = Object.keys(rightsOfMembers) as readonly MemberRole[]
export const operatorRoles = Object.keys(rightsOfOperators) as readonly OperatorRole[]

// A role that a newer version has written has no rights here.
export function memberRights(role: string | null | undefined): readonly MemberRight[] {
  const rights: Readonly<Partial<Record<string, readonly MemberRight[]>>> = rightsOfMembers
  return rights[role ?? ''] ?? []
}

export function operatorRights(role: string | null | undefined): readonly OperatorRight[] {
  const rights: Readonly<Partial<Record<string, readonly OperatorRight[]>>> = rightsOfOperators
  return rights[role ?? ''] ?? []
}

export function membersWith(right: MemberRight): readonly MemberRole[] {
  return memberRoles.filter((role) => memberRights(role).includes(right))
}

export function operatorsWith(right: OperatorRight): readonly OperatorRole[] {
  return operatorRoles.filter((role) => operatorRights(role).includes(right))
}

export type Access =
  | { readonly kind: 'anyone' }
  // The password was right; the second step is still open.
  | { readonly kind: 'password' }
  | { readonly kind: 'user' }
  | { readonly kind: 'member'; readonly right: MemberRight }
  | { readonly kind: 'operator'; readonly right: OperatorRight }

export const anyone: Access = { kind: 'anyone' }
export const passwordGiven: Access = { kind: 'password' }
export const user: Access = { kind: 'user' }
export const readers: Access = { kind: 'member', right: 'read' }
export const builders: Access = { kind: 'member', right: 'build' }
export const payers: Access = { kind: 'member', right: 'pay' }
export const managers: Access = { kind: 'member', right: 'manage' }
export const consoleReaders: Access = { kind: 'operator', right: 'read' }
export const helpers: Access = { kind: 'operator', right: 'help' }
export const admins: Access = { kind: 'operator', right: 'administer' }
