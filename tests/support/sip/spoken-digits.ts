// Recognises the digits spoken in a recording: every prompt is slid along the recording, and where the two nearly
// match, that digit was spoken. The match is the normalised correlation, 1 for the same sound at any volume; an FFT
// computes it for all positions at once.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Sound = Float64Array

type Hit = { readonly digit: number; readonly at: number; readonly length: number; readonly likeness: number }

const likenessMin = 0.6
// How much of a digit may overlap the one before it.
const overlapMax = 0.3
// Half of the telephone's 8000 Hz is enough to distinguish digits, and takes less than half of the time.
const thinning = 2
// Below this there is only noise to match.
const energyMin = 1e-4

export function readPrompts(folder: string): readonly Sound[] {
  return Array.from({ length: 10 }, (_, digit) => trimmed(thinned(readWave(join(folder, `${digit}.wav`)).samples)))
}

export function spokenDigits(recording: string, prompts: readonly Sound[]): string {
  const sound = thinned(readWave(recording).samples)
  const size = 2 ** Math.ceil(Math.log2(sound.length + Math.max(...prompts.map(({ length }) => length))))
  const spectrum = transformed(padded(sound, size), new Float64Array(size), 1)
  const energy = runningEnergy(sound)
  const hits = prompts.flatMap((prompt, digit) =>
    likeness(spectrum, energy, prompt, size).map((hit) => ({ digit, ...hit })),
  )
  return apart(hits)
    .toSorted((one, other) => one.at - other.at)
    .map(({ digit }) => digit)
    .join('')
}

// The best first; whatever overlaps a better match is not a separate digit.
function apart(hits: readonly Hit[]): readonly Hit[] {
  const kept: Hit[] = []
  for (const hit of hits.toSorted((one, other) => other.likeness - one.likeness)) {
    const isCovered = kept.some((other) => {
      const common = Math.min(hit.at + hit.length, other.at + other.length) - Math.max(hit.at, other.at)
      return common > overlapMax * Math.min(hit.length, other.length)
    })
    if (!isCovered) kept.push(hit)
  }
  return kept
}

type Spectrum = { readonly real: Float64Array; readonly imaginary: Float64Array }

function likeness(sound: Spectrum, energy: Float64Array, prompt: Sound, size: number): Omit<Hit, 'digit'>[] {
  const { real, imaginary } = spectrumOf(prompt, size)
  // The product with the conjugate is the correlation at every position.
  const product = { real: new Float64Array(size), imaginary: new Float64Array(size) }
  for (let at = 0; at < size; at++) {
    const [a = 0, b = 0, c = 0, d = 0] = [sound.real[at], sound.imaginary[at], real[at], imaginary[at]]
    product.real[at] = a * c + b * d
    product.imaginary[at] = b * c - a * d
  }
  const correlation = transformed(product.real, product.imaginary, -1).real
  const promptEnergy = prompt.reduce((sum, value) => sum + value * value, 0)
  const hits: Omit<Hit, 'digit'>[] = []
  for (let at = 0; at + prompt.length < energy.length; at++) {
    const here = (energy[at + prompt.length] ?? 0) - (energy[at] ?? 0)
    if (here < energyMin) continue
    const alike = (correlation[at] ?? 0) / size / Math.sqrt(here * promptEnergy)
    if (alike > likenessMin) hits.push({ at, length: prompt.length, likeness: alike })
  }
  return hits
}

// Prompts are the same for every recording.
const spectra = new WeakMap<Sound, Map<number, Spectrum>>()

function spectrumOf(prompt: Sound, size: number): Spectrum {
  const known = spectra.get(prompt) ?? new Map<number, Spectrum>()
  const spectrum = known.get(size) ?? transformed(padded(prompt, size), new Float64Array(size), 1)
  spectra.set(prompt, known.set(size, spectrum))
  return spectrum
}

// At each position, the energy of everything before it.
function runningEnergy(sound: Sound): Float64Array {
  const energy = new Float64Array(sound.length + 1)
  for (const [at, value] of sound.entries()) energy[at + 1] = (energy[at] ?? 0) + value * value
  return energy
}

// Cooley-Tukey, in place, for a power of two; sign 1 transforms to frequencies, -1 back without dividing.
function transformed(real: Float64Array, imaginary: Float64Array, sign: 1 | -1): Spectrum {
  const size = real.length
  for (const [at, place] of mirrored(size).entries()) {
    if (place <= at) continue
    for (const part of [real, imaginary]) [part[at], part[place]] = [part[place] ?? 0, part[at] ?? 0]
  }
  for (let span = 1; span < size; span *= 2) {
    for (let turn = 0; turn < span; turn++) {
      const angle = (-sign * Math.PI * turn) / span
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
      for (let low = turn; low < size; low += 2 * span) {
        const high = low + span
        const [x = 0, y = 0] = [real[high], imaginary[high]]
        const [u, v] = [x * cosine - y * sine, x * sine + y * cosine]
        real[high] = (real[low] ?? 0) - u
        imaginary[high] = (imaginary[low] ?? 0) - v
        real[low] = (real[low] ?? 0) + u
        imaginary[low] = (imaginary[low] ?? 0) + v
      }
    }
  }
  return { real, imaginary }
}

const mirrors = new Map<number, Uint32Array>()

// Bit-reversed order.
function mirrored(size: number): Uint32Array {
  const places = mirrors.get(size) ?? new Uint32Array(size)
  if (!mirrors.has(size)) {
    for (let at = 1; at < size; at++) places[at] = ((places[at >> 1] ?? 0) >> 1) | (at % 2 === 1 ? size >> 1 : 0)
    mirrors.set(size, places)
  }
  return places
}

function padded(sound: Sound, size: number): Float64Array {
  const whole = new Float64Array(size)
  whole.set(sound)
  return whole
}

function thinned(sound: Sound): Sound {
  return Float64Array.from({ length: Math.floor(sound.length / thinning) }, (_, at) => {
    const [one = 0, other = 0] = [sound[at * thinning], sound[at * thinning + 1]]
    return (one + other) / 2
  })
}

function trimmed(sound: Sound): Sound {
  const isLoud = (value: number) => Math.abs(value) > 0.01
  return sound.slice(Math.max(0, sound.findIndex(isLoud)), sound.findLastIndex(isLoud) + 1)
}

// A mono WAV file with 16 bits per sample.
export function readWave(path: string): { readonly samples: Sound; readonly perSecond: number } {
  const file = readFileSync(path)
  let perSecond = 0
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    if (name === 'fmt ') perSecond = file.readUInt32LE(at + 12)
    if (name === 'data') {
      const end = Math.min(at + 8 + length, file.length)
      const samples = Float64Array.from(
        { length: (end - at - 8) >> 1 },
        (_, index) => file.readInt16LE(at + 8 + 2 * index) / 32_768,
      )
      return { samples, perSecond }
    }
    at += 8 + length + (length % 2)
  }
  throw new Error(`${path} has no sound`)
}

export function waveFile(samples: Sound, perSecond: number): Buffer {
  const data = Buffer.alloc(samples.length * 2)
  for (const [at, value] of samples.entries())
    data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32_767), at * 2)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(perSecond, 24)
  head.writeUInt32LE(perSecond * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}
