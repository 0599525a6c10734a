// Whether a person is there. Pages also read by themselves, and that must not keep a session alive.

const awayMs = 60_000

let touchedMs = performance.now()

for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']) {
  globalThis.addEventListener(event, () => (touchedMs = performance.now()), { passive: true })
}

export function awayHeaders(): Readonly<Record<string, string>> {
  return performance.now() - touchedMs > awayMs ? { 'person-away': '1' } : {}
}
