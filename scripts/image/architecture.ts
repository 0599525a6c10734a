import { arch } from 'node:process'

// Debian's name and npm's name of each architecture that images are built for.
export const cpuOf = { amd64: 'x64', arm64: 'arm64' } as const
export type Architecture = keyof typeof cpuOf

export const architectures = Object.keys(cpuOf) as Architecture[]

export function thisArchitecture(): Architecture {
  const found = architectures.find((architecture) => cpuOf[architecture] === arch)
  if (found === undefined) throw new Error(`images are built for ${architectures.join(' and ')}, not for ${arch}`)
  return found
}
