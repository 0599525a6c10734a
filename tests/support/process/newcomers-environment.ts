import { delimiter } from 'node:path'

// Of this process, without what npm adds for its scripts, and without our own settings.
export function newcomersEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(RINGPROOF_|npm_|NODE_OPTIONS$|INIT_CWD$)/.test(name))
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((place) => !place.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) }
}
