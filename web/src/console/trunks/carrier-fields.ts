// What may stand in the fields of a carrier; the contract says the same.

export function isHost(text: string): boolean {
  return /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(text.trim())
}

export function isSipUser(text: string): boolean {
  return /^[A-Za-z0-9_.+-]{0,64}$/.test(text.trim())
}
