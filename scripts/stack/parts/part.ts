import type { State } from '../state.ts'

// One server of the stack. Every `up` runs all its steps, so each step first checks what is already done; only `prepare` is
// skipped while the server runs.
export type Part = {
  readonly name: 'postgres' | 'nats' | 'asterisk' | 'edge' | 'carrier' | 'phones'
  readonly title: string
  readonly stopSignal: 'SIGINT' | 'SIGTERM'
  /** Installs the programs and returns a short description of what is installed. */
  readonly install: () => Promise<string>
  /** Creates what the server needs and returns the command line that starts it. */
  readonly prepare: (state: State) => Promise<string[]>
  /** Queries the server once with its password and returns its version; throws if the response is wrong. */
  readonly probe: (state: State) => Promise<string>
  /** Creates the data that the running server must contain and returns a short description of it. */
  readonly fill?: (state: State) => Promise<string>
  /** The environment variables for using the server. */
  readonly environment: (state: State) => ReadonlyArray<readonly [name: string, value: string]>
}
