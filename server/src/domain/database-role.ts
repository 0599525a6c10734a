// The PostgreSQL roles that the migrations grant rights to: one per process role, and one for the CLI.

export const databaseRoles = ['api', 'calls', 'webhooks', 'keeper', 'web', 'operator'] as const
export type DatabaseRole = (typeof databaseRoles)[number]

// One login for everything, a member of all groups.
export const loginForAll = 'ringproof_app'

export function groupOf(role: DatabaseRole): string {
  return `ringproof_${role}`
}
