import type { Purpose } from '../../domain/installation/purpose.ts'
import type { Session } from '../core/database.ts'

export type Installation = {
  readonly name: string
  readonly supportAddress: string
  readonly termsUrl: string
  readonly privacyUrl: string
  readonly termsVersion: string
  readonly isSignUpOpen: boolean
  readonly purpose: Purpose
}

export async function readInstallation(session: Session): Promise<Installation> {
  const { rows } = await session.query<Installation>(
    `SELECT name, support_address AS "supportAddress", terms_url AS "termsUrl", privacy_url AS "privacyUrl",
            terms_version AS "termsVersion", is_sign_up_open AS "isSignUpOpen", purpose
     FROM installation`,
  )
  const [row] = rows
  if (!row) throw new Error('the table installation is empty')
  return row
}

// Of every amount in the database.
export async function readCurrency(session: Session): Promise<string> {
  const { rows } = await session.query<{ currency: string }>('SELECT currency FROM installation')
  const [row] = rows
  if (!row) throw new Error('the table installation is empty')
  return row.currency
}

// Unless there is anything that an amount can belong to. Only the owner of the tables may.
export async function writeCurrency(session: Session, currency: string): Promise<void> {
  await session.query(
    `UPDATE installation SET currency = $1
     WHERE currency <> $1 AND NOT EXISTS (SELECT FROM accounts) AND NOT EXISTS (SELECT FROM tariff_prices)
       AND NOT EXISTS (SELECT FROM trunk_costs)`,
    [currency],
  )
}

export async function readPurpose(globalDatabase: Session): Promise<Purpose> {
  return (await readInstallation(globalDatabase)).purpose
}

export async function writePurpose(globalDatabase: Session, purpose: Purpose): Promise<void> {
  await globalDatabase.query('UPDATE installation SET purpose = $1', [purpose])
}

export async function writeInstallation(session: Session, installation: Installation): Promise<void> {
  await session.query(
    `UPDATE installation SET name = $1, support_address = $2, terms_url = $3, privacy_url = $4, terms_version = $5,
       is_sign_up_open = $6, purpose = $7`,
    [
      installation.name,
      installation.supportAddress,
      installation.termsUrl,
      installation.privacyUrl,
      installation.termsVersion,
      installation.isSignUpOpen,
      installation.purpose,
    ],
  )
}
