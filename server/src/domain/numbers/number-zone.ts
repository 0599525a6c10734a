// The time zones a number may be in: by the registry's region for a Russian number, by country for Kazakhstan, which has had
// one zone since 2024. Regions are matched by the stem of their name, because the registry spells them in many ways. The
// zone of a number assigned for the whole country is unknown.

import type { NumberingIndex } from './numbering-index.ts'

// The first match counts. Sakha has three zones.
const zonesOfRegions: readonly (readonly [RegExp, readonly string[]])[] = [
  [/Калининград/, ['Europe/Kaliningrad']],
  [/Самарск|Удмурт/, ['Europe/Samara']],
  [/Саратов/, ['Europe/Saratov']],
  [/Ульяновск/, ['Europe/Ulyanovsk']],
  [/Астрахан/, ['Europe/Astrakhan']],
  [/Волгоград/, ['Europe/Volgograd']],
  [/Киров/, ['Europe/Kirov']],
  [/Крым|Севастопол|Симферопол/, ['Europe/Simferopol']],
  [/Башкорт|Курган|Оренбург|Перм|Свердлов|Тюмен|Ханты|Югра|Челябин|Ямало/, ['Asia/Yekaterinburg']],
  [/Омск/, ['Asia/Omsk']],
  [/Алтай/, ['Asia/Barnaul']],
  [/Новосибирск/, ['Asia/Novosibirsk']],
  [/Томск/, ['Asia/Tomsk']],
  [/Кемеров|Кузбасс/, ['Asia/Novokuznetsk']],
  [/Краснояр|Тыва|Хакас/, ['Asia/Krasnoyarsk']],
  [/Иркутск|Бурят/, ['Asia/Irkutsk']],
  [/Забайкал/, ['Asia/Chita']],
  [/Амурск/, ['Asia/Yakutsk']],
  [/Саха |Якут/, ['Asia/Yakutsk', 'Asia/Vladivostok', 'Asia/Srednekolymsk']],
  [/Примор|Хабаров|Еврейск/, ['Asia/Vladivostok']],
  [/Магадан/, ['Asia/Magadan']],
  [/Сахалин/, ['Asia/Sakhalin']],
  [/Камчат/, ['Asia/Kamchatka']],
  [/Чукот/, ['Asia/Anadyr']],
  [/Байконур/, ['Asia/Qyzylorda']],
  [
    new RegExp(
      [
        'Москва|Московск|Санкт|Ленинград|Адыге|Архангел|Белгород|Брянск|Владимир|Вологод|Воронеж|Дагестан|Донецк|Запорож',
        'Иванов|Ингуш|Кабардино|Калмык|Калуж|Карачаево|Карел|Коми|Костром|Краснодар|Курск|Липецк|Луганск|Марий|Мордов',
        'Мурман|Ненецк|Нижегород|Новгород|Орлов|Осети|Пенз|Псков|Ростов|Рязан|Смолен|Ставропол|Тамбов|Татарстан|Твер',
        'Тульск|Херсон|Чечен|Чуваш|Ярослав',
      ].join('|'),
    ),
    ['Europe/Moscow'],
  ],
]

// Empty if unknown.
export function zonesOf(digits: string, country: string, index: NumberingIndex): readonly string[] {
  if (country === 'KZ') return ['Asia/Almaty']
  if (country !== 'RU') return []
  const region = index.find(Number(digits.slice(1)))?.region ?? ''
  const kept = known.get(region)
  if (kept) return kept
  const zones = zonesOfRegion(region)
  if (known.size >= knownMax) known.clear()
  known.set(region, zones)
  return zones
}

// A range assigned to two regions has the zones of both; for one with an exception the zone is unknown.
export function zonesOfRegion(region: string): readonly string[] {
  if (/федеральный округ|исключением|кроме/i.test(region)) return []
  const zones = region
    .split(/,| и /)
    .flatMap((subject) => zonesOfRegions.find(([stem]) => stem.test(subject))?.[1] ?? [])
  return [...new Set(zones)]
}

const known = new Map<string, readonly string[]>()
const knownMax = 4_096
