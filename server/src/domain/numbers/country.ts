// ISO 3166-1 alpha-2, as of 2026. Listed here, because Intl also accepts former codes (SU, AN), aliases (UK) and codes that
// are not countries (ZZ, EU), and a list with such a code would silently match no number.
import type { Language } from '@ringproof/contract/lists/people.ts'

export const countryCodes: ReadonlySet<string> = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
   CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
   GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
   KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
   MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
   SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
   UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s+/),
)

export function isCountryCode(text: string): boolean {
  return countryCodes.has(text)
}

// Cached: a lookup in Intl takes microseconds, and there are few names.
export function countryName(code: string, language: Language): string {
  const names = namesIn[language]
  const known = names.cached.get(code)
  if (known !== undefined) return known
  const name = names.all.of(code) ?? code
  names.cached.set(code, name)
  return name
}

const namesIn = { en: countryNames('en'), ru: countryNames('ru') }

function countryNames(language: Language) {
  return { all: new Intl.DisplayNames([language], { type: 'region' }), cached: new Map<string, string>() }
}
