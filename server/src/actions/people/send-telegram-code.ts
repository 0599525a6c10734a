import type { SlotMap } from '../../db/core/slot-map.ts'
import { putTelegramCode } from '../../db/people/second-factor.ts'
import type { User } from '../../db/people/user.ts'
import { digestToken, makeSixDigits } from '../../domain/people/one-time-token.ts'
import { codeWindow, codeWindowSeconds } from '../../domain/people/sign-in-throttle.ts'
import { inEnglish, inRussian } from '../../domain/values/period.ts'
import { Denial } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
  readonly sendTelegram: (telegramId: number, text: string) => Promise<void>
}

const sentences = {
  en: (code: string) => `${code} is your sign-in code. Share it with no one. It works for ${inEnglish(codeWindow)}.`,
  ru: (code: string) => `${code} — код для входа. Не сообщайте его никому. Действует ${inRussian(codeWindow)}.`,
}

// A new code replaces the one before, and gives no more tries.
export async function sendTelegramCode({ slots, randomBytes, sendTelegram }: Deps, user: User): Promise<void> {
  if (!user.telegramSince || user.telegramId === null) throw new Denial('invalid')
  const code = makeSixDigits(randomBytes(4))
  await putTelegramCode(slots.globalDatabase, user.id, digestToken(`telegram ${code}`), codeWindowSeconds)
  await sendTelegram(user.telegramId, sentences[user.language](code)).catch(() => {
    throw new Denial('unavailable')
  })
}
