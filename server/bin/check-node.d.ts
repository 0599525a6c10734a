export const supportedMajors: ReadonlyMap<number, string>
export function checkNode(version: string, today: string): { isRefused: boolean; sentence: string } | undefined
