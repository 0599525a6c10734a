// Somebody who runs the installation, with a second factor, made by the CLI as the first operator is.

import type { OperatorRole } from '@ringproof/contract/web/access.ts'
import { createCli } from '../process/cli-in-process.ts'
import type { Installation } from '../process/server.ts'
import { addTotp, newEmail, type Person, password } from './people.ts'
import { createVisitor } from './visitor.ts'

export type OperatorPerson = Person & { readonly totp: (stepsFromNow: number) => string }

export async function createOperator(
  { environment }: Pick<Installation, 'environment'>,
  base: string,
  role: OperatorRole,
): Promise<OperatorPerson> {
  const cli = createCli({ ...environment, RINGPROOF_PUBLIC_URL: base })
  const email = newEmail()
  const { link } = await cli.json<{ link: string }>('operators', 'create', '--email', email, '--role', role)
  const visitor = createVisitor(base)
  const token = link.split('#token=')[1] ?? ''
  await visitor.call('accept-invitation', { token, password, name: '', language: 'en' })
  return { visitor, email, totp: await addTotp(visitor) }
}
