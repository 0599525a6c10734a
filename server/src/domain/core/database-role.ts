// The PostgreSQL roles that the migrations grant rights to, one per process role and one for the CLI, and the logins that are
// members of them. compose.yaml, the chart and the Debian units name these logins; tests/unit/logins.test.ts compares.

export const processRoles = ['api', 'calls', 'webhooks', 'keeper', 'web'] as const
export type ProcessRole = (typeof processRoles)[number]
export const databaseRoles = [...processRoles, 'operator'] as const
export type DatabaseRole = (typeof databaseRoles)[number]

// The login of one process with all roles, and that of the CLI.
export const loginForAll = 'ringproof_app'
export const loginOfCli = 'ringproof_cli'

export function groupOf(role: DatabaseRole): string {
  return `ringproof_${role}`
}

// The login of a process with these roles: a member of exactly their groups.
export function loginOf(roles: readonly ProcessRole[]): string {
  if (processRoles.every((role) => roles.includes(role))) return loginForAll
  return `ringproof_${processRoles.filter((role) => roles.includes(role)).join('_')}_login`
}
