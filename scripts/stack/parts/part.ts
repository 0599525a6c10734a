import type { State } from '../state.ts'

// One server of the stack. Every `up` goes through all its steps, so each of them first looks at what is already there;
// only `prepare` is left out while the server runs.
export type Part = {
  readonly name: 'postgres' | 'nats' | 'asterisk' | 'carrier'
  readonly title: string
  readonly stopSignal: 'SIGINT' | 'SIGTERM'
  /** Puts the programs on the machine and says in a few words what is there. */
  readonly install: () => Promise<string>
  /** Makes what the server needs before it starts, and gives the command line that starts it. */
  readonly prepare: (state: State) => Promise<string[]>
  /** Asks the server once, as a client that knows its password, and gives its version; fails if the response is wrong. */
  readonly ask: (state: State) => Promise<string>
  /** Brings what the running server holds into the promised shape and says in a few words what that is. */
  readonly fill?: (state: State) => Promise<string>
  /** What a program must know to use the server. */
  readonly environment: (state: State) => ReadonlyArray<readonly [name: string, value: string]>
}
