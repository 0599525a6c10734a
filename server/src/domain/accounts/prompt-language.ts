// The languages in which a voice call can speak a code. A new one also needs prompts (telephony/asterisk/config.ts) and a
// value in the CHECK of services.language.
export const promptLanguages = ['ru', 'en', 'kk'] as const
export type PromptLanguage = (typeof promptLanguages)[number]
