import { UsageError } from '../process/errors.ts'

// If the port is taken, names it and the setting that chose it.
export async function nameTakenPort(setting: string, listening: Promise<unknown>): Promise<void> {
  try {
    await listening
  } catch (error) {
    if (!isTaken(error)) throw error
    const where = `Port ${error.port} of ${error.address}`
    throw new UsageError(`${where} is in use by another program. Stop it, or set ${setting} to another port.`)
  }
}

function isTaken(error: unknown): error is { readonly port: number; readonly address: string } {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error
}
