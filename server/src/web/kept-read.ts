// One read serves everybody: what was read within the last seconds is read again for nobody.

type KeptRead<Value> = { readonly read: () => Promise<Value>; readonly forget: () => void }

export function createKeptRead<Value>(
  seconds: number,
  nowSeconds: () => number,
  readNow: () => Promise<Value>,
): KeptRead<Value> {
  let kept: { readonly readAt: number; readonly value: Promise<Value> } | undefined
  const forget = () => {
    kept = undefined
  }
  return {
    forget,
    read: async () => {
      const now = nowSeconds()
      if (!kept || Math.abs(now - kept.readAt) >= seconds) {
        const value = readNow()
        kept = { readAt: now, value }
        // What failed is not kept.
        value.catch(forget)
      }
      return kept.value
    },
  }
}
