type Words = { readonly unknownBrowser: string; readonly on: (browser: string, system: string) => string }

// The first that fits: browsers name their relatives, too.
const browsers: readonly [RegExp, string][] = [
  [/YaBrowser/, 'Yandex Browser'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
]
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
]

export function browserOf(userAgent: string, words: Words): string {
  const browser = firstFit(browsers, userAgent)
  const system = firstFit(systems, userAgent)
  if (browser === undefined) return userAgent === '' ? words.unknownBrowser : userAgent.slice(0, 60)
  return system === undefined ? browser : words.on(browser, system)
}

function firstFit(table: readonly [RegExp, string][], text: string): string | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1]
}
