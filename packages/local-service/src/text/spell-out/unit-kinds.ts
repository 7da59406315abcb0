/** What a unit measures, and how large it is among the units of its kind. */
interface UnitKind {
  kind: string
  size: number
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** The size of units by kind. Metric units are added with their prefixes. */
const sizes: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // Degrees of different scales are compared only by kind.
  temperature: {
    ...{ '°C': 1, ºC: 1, '°F': 1, '℃': 1, '℉': 1, '°': 1, C: 1, F: 1, K: 1 },
    ...{ degree: 1, degrees: 1 },
  },
  length: { m: 1, in: 0.0254, '″': 0.0254, ft: 0.3048, '′': 0.3048, yd: 0.9144, mi: 1609 },
  mass: { g: 1, t: 1e6, kt: 1e9, oz: 28.35, lb: 453.6, lbs: 453.6 },
  volume: { l: 1, L: 1, gal: 3.785, tsp: 0.005, tbsp: 0.015, TL: 0.005, EL: 0.015 },
  time: {
    ...{ s: 1, sec: 1, secs: 1, second: 1, seconds: 1 },
    ...{ min: minute, mins: minute, minute, minutes: minute },
    ...{ h: hour, hr: hour, hrs: hour, hour, hours: hour },
    ...{ d: day, j: day, gg: day, day, days: day },
    ...{ wk: 7 * day, wks: 7 * day, week: 7 * day, weeks: 7 * day },
    ...{ Woche: 7 * day, semaine: 7 * day, settimana: 7 * day, semana: 7 * day },
    ...{ mo: 30 * day, month: 30 * day, months: 30 * day },
    ...{ Monat: 30 * day, mois: 30 * day, mese: 30 * day, mes: 30 * day },
    ...{ yr: 365 * day, yrs: 365 * day, year: 365 * day, years: 365 * day },
    ...{ Jahr: 365 * day, an: 365 * day, anno: 365 * day, año: 365 * day },
  },
  data: { B: 1, KB: 1e3, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 },
  pressure: { Pa: 1, bar: 1e5, psi: 6895, mmHg: 133.3, inHg: 3386 },
  euro: { '€': 1, EUR: 1, ct: 0.01 },
  dollar: { $: 1, US$: 1, USD: 1, '¢': 0.01 },
  pound: { '£': 1, GBP: 1 },
  count: { k: 1e3, Mio: 1e6, Mrd: 1e9 },
}

const kinds: ReadonlyMap<string, UnitKind> = new Map(
  Object.entries(sizes).flatMap(([kind, units]) =>
    Object.entries(units).map(([symbol, size]) => [symbol, { kind, size }] as const),
  ),
)

const metric = new Set('m g l L s W Wp Wh V VA A Ah Hz Ω J N Pa bar cal B bit b bps lx'.split(' '))
const prefixes: ReadonlyMap<string, number> = new Map(
  Object.entries({ T: 1e12, G: 1e9, M: 1e6, k: 1e3, h: 100, d: 0.1, c: 0.01, m: 1e-3, µ: 1e-6 }),
)

/** @returns the kind of a unit such as `km/h` or `m²`; a unit that is not known is a kind of its own. */
export function kindOfUnit(symbol: string): UnitKind {
  const [counted = '', ...divisors] = symbol.split('/')
  if (divisors.length > 0) {
    const { kind, size } = kindOfUnit(counted)
    return { kind: [kind, ...divisors].join('/'), size }
  }
  const known = kinds.get(symbol)
  if (known) return known
  const power = /^[kcdm]?m([²2]|[³3])$/.exec(symbol)?.[1]
  if (power) {
    const exponent = /[²2]/.test(power) ? 2 : 3
    const { kind, size } = kindOfUnit(symbol.slice(0, -1))
    return { kind: `${kind}${exponent}`, size: size ** exponent }
  }
  const prefix = prefixes.get(symbol.charAt(0))
  const base = symbol.slice(1)
  if (prefix === undefined || !metric.has(base)) return { kind: symbol, size: 1 }
  const { kind, size } = kindOfUnit(base)
  return { kind, size: prefix * size }
}

/** Whether two units measure the same, or are the same noun: "g" and "kg", "cup" and "cups", "Tag" and "Tage". */
export function isSameKind(one: string, other: string): boolean {
  return kindOfUnit(one).kind === kindOfUnit(other).kind || isSameNoun(one, other)
}

/** Whether one word is the plural of the other, by its ending. */
function isSameNoun(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const stem = short.slice(0, Math.max(3, short.length - 1))
  return short.length >= 3 && long.startsWith(stem) && long.length - short.length <= 2
}

/** The scale of a temperature, after its degrees. */
export const temperatureScale = /^(?:Celsius|Fahrenheit|cent[ií]grad\p{L}{0,2})$/iu

/** A wash at 40 °C is more frequent than such a frost. */
const maxDegreesOfFrost = 30

/** Whether a dash before the amount is its minus: "- 5 °C", "- 70 dBm". */
export function canBeNegative(value: number, symbol: string): boolean {
  const isFrost = /^(?:°[CF]?|ºC|[℃℉])$/.test(symbol) && value <= maxDegreesOfFrost
  return isFrost || symbol === 'dBm'
}
