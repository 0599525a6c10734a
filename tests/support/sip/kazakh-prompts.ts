// Placeholders for Kazakh prompts, from a speech synthesizer: good enough for a machine to distinguish digits, and for
// nothing else.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWave, type Sound, waveFile } from './spoken-digits.ts'

const words = ['нөл', 'бір', 'екі', 'үш', 'төрт', 'бес', 'алты', 'жеті', 'сегіз', 'тоғыз']
const telephonePerSecond = 8_000

export function makeKazakhPrompts(folder: string): void {
  mkdirSync(join(folder, 'digits'), { recursive: true })
  for (const [digit, word] of words.entries()) {
    const path = join(folder, 'digits', `${digit}.wav`)
    execFileSync('espeak-ng', ['-v', 'kk', '-s', '130', '-w', path, word])
    const { samples, perSecond } = readWave(path)
    writeFileSync(path, waveFile(slowed(samples, perSecond / telephonePerSecond), telephonePerSecond))
  }
}

// Each new sample is the mean of the old ones it replaces: a low-pass filter against aliasing.
function slowed(sound: Sound, ratio: number): Sound {
  return Float64Array.from({ length: Math.floor(sound.length / ratio) }, (_, at) => {
    const part = sound.subarray(
      Math.floor(at * ratio),
      Math.max(Math.floor((at + 1) * ratio), Math.floor(at * ratio) + 1),
    )
    return part.reduce((sum, value) => sum + value, 0) / part.length
  })
}
