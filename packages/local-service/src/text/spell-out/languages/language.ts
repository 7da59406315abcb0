/** The gender of what is counted: one minute is "eine Minute", "una ora", "une heure". Only German has `n`. */
export type Gender = 'm' | 'f' | 'n'

export interface Noun {
  singular: string
  plural: string
  gender: Gender
}

/** How a language reads numbers, times, units and abbreviations. */
export interface Language {
  /** A whole number up to a billion. @param gender of the noun after it; absent if there is none. */
  cardinal(value: number, gender?: Gender): string
  /** A year, if it is read differently from other numbers. */
  year?(value: number): string
  /** A number with a mark: "3." in German, "3e" in French, "3.º" in Spanish. @param before the word before. */
  ordinal(value: number, mark: string, before: string): string
  /** The marks of an ordinal after its digits. */
  ordinalMark: RegExp
  /** A time of the day. @param before the word before. */
  time(hours: number, minutes: number, before: string): string
  /** @param year absent if it is not stated. @param before the word before. */
  date(day: number, month: string, year: number | undefined, before: string): string
  months: readonly string[]
  /** The names of the days of the week, by their abbreviation without a full stop. They count in a range: "Sa - So". */
  weekdays: ReadonlyMap<string, string>
  money(whole: Counted, cents: Counted | undefined): string
  /** The gender of a noun, by its ending; absent if the word is not a noun. Only the word "one" depends on it. */
  genderOf(word: string): Gender | undefined
  /** Changes "one" for the words around it: "un'ora", "in einer Stunde", "für einen Tag". */
  beforeNoun?(count: string, noun: string, before: string, gender: Gender | undefined): string
  /** A fraction of a noun: "half a litre". @param part such as `1/2`. @param before the word before. */
  fractionOf(part: string, noun: string, gender: Gender | undefined, before: string): string
  /** A number with a fraction: "two and a half hours". @param noun empty if there is none. */
  mixedNumber(whole: number, part: string, noun: string, gender: Gender | undefined): string
  /** Whether "1½ h" is "one hour and a half". */
  isSingularWithFraction: boolean
  /** Whether 2.25 is "two point twenty-five" instead of "two point two five". */
  readsDecimalsAsNumber: boolean
  /** Whether telephone numbers are read in pairs. */
  readsPairs: boolean
  words: {
    comma: string
    /** In addresses of machines. */
    dot: string
    at: string
    to: string
    per: string
    /** Between the numbers of a score: "3:2". */
    against: string
    /** Between two numbers that belong together: "120/80", "1000/500 Mbit/s". */
    over: string
    seconds: Noun
    /** Powers of a metre: "square", "cubic", before or after the unit. */
    square: (unit: string) => string
    cubic: (unit: string) => string
  }
  /** Signs before a number, such as "minus", and signs that stand alone. */
  signs: Readonly<Record<string, string>>
  fractions: Readonly<Record<string, string>>
  units: ReadonlyMap<string, Noun>
  currencies: Readonly<Record<string, { unit: Noun; cent: Noun }>>
  abbreviations: ReadonlyMap<string, string>
  /** Abbreviations only before a number: elsewhere, "S." is an initial. */
  beforeNumber?: ReadonlyMap<string, string>
  /** Whether an abbreviation before a number is an initial nevertheless: "Herr S. 45", "S. 45 Jahre". */
  isInitial?(before: string, afterNumber: string): boolean
  /** Words before a number with a letter that is no unit: "Wohnung 4B". */
  labels: RegExp
  /** The names of streets, or a word in them. */
  streets: RegExp
  /** Abbreviations that are also words. At the end of a sentence, they are spelled out only next to a number. */
  alsoWords: ReadonlySet<string>
  /** Words before and between months and days of the week, also at the end of a sentence: "im Jan.", "mar. et mer." */
  beforeDays: RegExp
  /** Words before a percentage that is taken off, so that a dash between them is its minus: "Rabatt - 20 %". */
  sales: RegExp
  /** The words before a subtraction, at their end: "wie viel ist 8 - 3". */
  sums: RegExp
  /** Words before digits that are read one by one. */
  codes: RegExp
  /** Words after a time that are part of it. */
  afterTime: RegExp
  /** What words before one o'clock become: "alle 1:00" is "all'una". */
  oneOclock?: Readonly<Record<string, string>>
  /** The word that makes a number before it a time: "18 Uhr". */
  oclock?: string
  /** The digits of telephone numbers that do not begin with 0 or +. */
  telephone?: RegExp
}

/** An amount in words, and its unit in the form that fits. */
export interface Counted {
  count: string
  unit: string
}

/** What is left of a text, from the word that is spelled next. */
export interface Rest {
  language: Language
  /** The text of the word before; empty if a mark is between them, or at the start. */
  before: string
  /** The texts of up to four words before this one, after the last mark. */
  earlier: readonly string[]
  /** The word, and those after it up to the next mark, without marks and at most as many as a rule reads. */
  words: readonly string[]
  /** The marks after the last of these words. */
  after: string
  /** Whether the text goes on after these words. */
  goesOn: boolean
}

/** Spells out the first words of the rest. @returns what is spoken for each of them; `undefined` if it knows none. */
export type LanguageRule = (rest: Rest) => readonly string[] | undefined

/** Reads a table: `kg|Kilogramm`, `h|Stunde|Stunden|f`, one entry between line breaks or two spaces. */
export function readUnits(table: string, prefixes: Readonly<Record<string, string>>) {
  const units = new Map<string, Noun>()
  const rows = table.trim().split(/\s*\n\s*|\s{2,}/)
  for (const row of rows) {
    const [symbol = '', singular = '', plural = singular, gender = 'm'] = row.split('|')
    const noun = { singular, plural, gender: gender as Gender }
    if (!symbol.startsWith('*')) {
      units.set(symbol, noun)
      continue
    }
    units.set(symbol.slice(1), noun)
    for (const [prefix, name] of Object.entries(prefixes)) {
      const joined = (word: string) => name + word.charAt(0).toLowerCase() + word.slice(1)
      units.set(prefix + symbol.slice(1), {
        ...noun,
        singular: joined(singular),
        plural: joined(plural),
      })
    }
  }
  return units
}

/** Reads a table of abbreviations and their words: `z.B.|zum Beispiel`. A full stop at the end is required in the text. */
export function readAbbreviations(table: string): ReadonlyMap<string, string> {
  const rows = table.trim().split(/\s*\n\s*|\s{2,}/)
  return new Map(rows.map((row) => row.split('|') as [string, string]))
}
