import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const folder = join(import.meta.dirname, '../../web/src')

describe('the words of the pages', () => {
  for (const english of globSync('**/{en,*.en}.ts', { cwd: folder })) {
    test(`${english} and its Russian text say something different everywhere`, async () => {
      const one = await textsOf(english)
      const other = await textsOf(english.replace(/en\.ts$/, 'ru.ts'))
      assert.ok(one.size > 10, 'no text was read')
      const same = [...one].filter(([path, text]) => other.get(path) === text && !isSameInBoth(text))
      assert.deepEqual(same, [], 'these texts are not translated')
      const latin = [...other].filter(
        ([, text]) => /[a-z]{4}/.test(text) && !/[а-яё]/i.test(text) && !isSameInBoth(text),
      )
      assert.deepEqual(latin, [], 'these Russian texts have no Cyrillic letter')
    })
  }

  test('an untranslated text is found', () => {
    assert.equal(isSameInBoth('Sign in'), false)
    assert.equal(isSameInBoth('Telegram'), true)
  })
})

// Names, units and marks that both languages write alike.
function isSameInBoth(text: string): boolean {
  return (
    text === '' ||
    /^([^\p{L}]*|API|English|Русский|ring|proof|Telegram|getInfo: 3|CSV|ID|[Cc]lient|unique|SIP 3|Call-ID|Ringproof)$/u.test(
      text,
    )
  )
}

async function textsOf(file: string): Promise<Map<string, string>> {
  const { words }: { words: unknown } = await import(join(folder, file))
  const texts = new Map<string, string>()
  collect(words, '', texts)
  return texts
}

// A function is called with samples, so that its sentence is compared, too.
function collect(value: unknown, path: string, texts: Map<string, string>): void {
  if (typeof value === 'string') texts.set(path, value)
  else if (typeof value === 'function') texts.set(path, String(Reflect.apply(value, undefined, [3, 5])))
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inside] of Object.entries(value)) collect(inside, `${path}.${key}`, texts)
  }
}

describe('one thing has one word', () => {
  const wordsIn = async (file: string) =>
    ((await import(join(folder, file))) as { words: Record<string, unknown> }).words
  for (const language of ['en', 'ru'] as const) {
    test(`a mode of a call, on every page: ${language}`, async () => {
      const { mode } = await wordsIn(`words/${language}.ts`)
      const { kinds } = await wordsIn(`console/tariffs/words.${language}.ts`)
      const { priceKinds } = await wordsIn(`dashboard/balance/words.${language}.ts`)
      assert.deepEqual(kinds, priceKinds)
      assert.deepEqual({ ...(kinds as object), ...(mode as object) }, kinds)
    })
  }

  test('in Russian a mobile company is оператор связи, and who sells a trunk is провайдер', async () => {
    for (const file of ['trunks', 'tariffs', 'codes', 'inbound'].map((screen) => `console/${screen}/words.ru.ts`)) {
      const texts = [...(await textsOf(file)).values()]
      assert.deepEqual(
        texts.filter((text) => /оператор/i.test(text)),
        [],
        file,
      )
    }
  })
})
