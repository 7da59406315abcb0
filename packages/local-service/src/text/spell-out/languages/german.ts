import { setOf } from '../word.ts'
import { type Gender, type Language, readAbbreviations, readUnits } from './language.ts'

const ones =
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  )
const tens = '- zehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ')

function cardinal(value: number, one = 'eins'): string {
  if (value === 1) return one
  if (value < 20) return ones[value]!
  if (value < 100) {
    const unit = value % 10
    const ten = tens[Math.floor(value / 10)]!
    return unit === 0 ? ten : `${cardinal(unit, 'ein')}und${ten}`
  }
  if (value < 1000) return joined(value, 100, 'hundert', one)
  if (value < 1_000_000) return joined(value, 1000, 'tausend ', one)
  const millions = Math.floor(value / 1_000_000)
  const rest = value % 1_000_000
  const start = millions === 1 ? 'eine Million' : `${cardinal(millions)} Millionen`
  return rest === 0 ? start : `${start} ${cardinal(rest, one)}`
}

function joined(value: number, size: number, name: string, one: string): string {
  const rest = value % size
  const start = cardinal(Math.floor(value / size), 'ein') + name
  return rest === 0 ? start.trim() : start + cardinal(rest, one)
}

/** The years before 2000 are counted in hundreds. */
function year(value: number): string {
  const isInHundreds = value >= 1100 && value < 2000
  return isInHundreds ? joined(value, 100, 'hundert', 'eins') : cardinal(value)
}

const irregular: Readonly<Record<number, string>> = { 1: 'erst', 3: 'dritt', 7: 'siebt', 8: 'acht' }

function ordinalStem(value: number): string {
  const last = value % 100
  if (irregular[last] && last < 20)
    return value === last ? irregular[last] : cardinal(value - last) + irregular[last]
  return cardinal(value) + (last > 0 && last < 20 ? 't' : 'st')
}

function ordinal(value: number, before: string): string {
  const word = before.toLowerCase()
  if (/^(?:der|die|das)$/.test(word)) return `${ordinalStem(value)}e`
  const isInflected =
    /^(?:am|im|vom|zum|beim|bis|ab|seit|dem|den|des|zur|einem|einen|jeden|nächsten|letzten|diesem|diesen)$/
  return ordinalStem(value) + (isInflected.test(word) ? 'en' : 'er')
}

const feminine =
  /(?:ung|heit|keit|ion|tür|lampe|minute|stunde|sekunde|woche|person|nachricht|mail|kamera|etage|steckdose|batterie|kerze|leuchte|pumpe|maschine|anlage|straße)$/i

const masculine =
  /(?:tag|abend|monat|euro|cent|liter|meter|grad|löffel|becher|punkt|termin|gast|raum|anruf|sensor|akku|alarm|schalter|schritt|kaffee|film|titel|kanal|ofen|teller|apfel|mann)$/i

type Case = 'nominative' | 'accusative' | 'dative'

function caseAfter(before: string): Case {
  if (/^(?:in|nach|vor|seit|mit|von|bei|zu|aus|ab)$/i.test(before)) return 'dative'
  const asksForAccusative =
    /^(?:für|um|ohne|durch|gegen|pro|dauert|dauern|braucht?|brauchen|habe?|hat|gibt?|nimm|kaufe?|wartet?|enthält)$/i
  return asksForAccusative.test(before) ? 'accusative' : 'nominative'
}

const halves: Readonly<Record<Case, Readonly<Record<Gender, string>>>> = {
  nominative: { m: 'ein halber', f: 'eine halbe', n: 'ein halbes' },
  accusative: { m: 'einen halben', f: 'eine halbe', n: 'ein halbes' },
  dative: { m: 'einem halben', f: 'einer halben', n: 'einem halben' },
}
const added: Readonly<Record<string, string>> = {
  '1/2': 'einhalb',
  '1/3': 'eindrittel',
  '2/3': 'zweidrittel',
  '1/4': 'einviertel',
  '3/4': 'dreiviertel',
}

export const german: Language = {
  cardinal: (value, gender) => cardinal(value, gender === 'f' ? 'eine' : gender ? 'ein' : 'eins'),
  year,
  ordinalMark: /^\.$/,
  ordinal: (value, _mark, before) => ordinal(value, before),
  time(hours, minutes) {
    const start = `${cardinal(hours, 'ein')} Uhr`
    return minutes === 0 ? start : `${start} ${cardinal(minutes)}`
  },
  date: (day, month, yearOfDate, before) =>
    [ordinal(day, before), month, ...(yearOfDate === undefined ? [] : [year(yearOfDate)])].join(
      ' ',
    ),
  months:
    'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  weekdays: readAbbreviations(
    'Mo|Montag  Di|Dienstag  Mi|Mittwoch  Do|Donnerstag  Fr|Freitag  Sa|Samstag  So|Sonntag',
  ),
  money: (whole, cents) => `${whole.count} ${whole.unit}${cents ? ` ${cents.count}` : ''}`,
  genderOf(noun) {
    if (!/^\p{Lu}/u.test(noun)) return undefined
    return feminine.test(noun) ? 'f' : masculine.test(noun) ? 'm' : 'n'
  },
  beforeNoun(count, _noun, before, gender) {
    const nounCase = caseAfter(before)
    if (nounCase === 'dative') {
      return count === 'eine' ? 'einer' : count === 'ein' ? 'einem' : count
    }
    return nounCase === 'accusative' && gender === 'm' && count === 'ein' ? 'einen' : count
  },
  fractionOf: (part, noun, gender, before) =>
    `${part === '1/2' ? halves[caseAfter(before)][gender ?? 'n'] : german.fractions[part]} ${noun}`,
  mixedNumber: (whole, part, noun) => `${cardinal(whole, 'ein')}${added[part]} ${noun}`,
  isSingularWithFraction: false,
  readsDecimalsAsNumber: false,
  readsPairs: false,
  words: {
    comma: 'Komma',
    dot: 'Punkt',
    at: 'ät',
    to: 'bis',
    per: 'pro',
    against: 'zu',
    over: 'zu',
    seconds: { singular: 'Sekunde', plural: 'Sekunden', gender: 'f' },
    square: (unit) => `Quadrat${unit.charAt(0).toLowerCase()}${unit.slice(1)}`,
    cubic: (unit) => `Kubik${unit.charAt(0).toLowerCase()}${unit.slice(1)}`,
  },
  signs: {
    '-': 'minus',
    '+': 'plus',
    '±': 'plus minus',
    '~': 'ungefähr',
    '≈': 'ungefähr',
    '<': 'kleiner als',
    '>': 'größer als',
    '≤': 'höchstens',
    '≥': 'mindestens',
    '&': 'und',
    '=': 'gleich',
    '×': 'mal',
    '*': 'mal',
    '→': 'nach',
    '§': 'Paragraf',
    '%': 'Prozent',
    '€': 'Euro',
    '@': 'ät',
    '#': 'Nummer',
    '°': 'Grad',
    Ø: 'Durchschnitt',
  },
  fractions: {
    '1/2': 'ein halb',
    '½': 'ein halb',
    '1/3': 'ein Drittel',
    '⅓': 'ein Drittel',
    '2/3': 'zwei Drittel',
    '⅔': 'zwei Drittel',
    '1/4': 'ein Viertel',
    '¼': 'ein Viertel',
    '3/4': 'drei Viertel',
    '¾': 'drei Viertel',
  },
  units: readUnits(
    `*m|Meter  *g|Gramm|Gramm|n  *l|Liter  *L|Liter  *W|Watt|Watt|n  *Wh|Wattstunde|Wattstunden|f  *Wp|Watt Peak|Watt Peak|n
    *V|Volt|Volt|n  *VA|Voltampere|Voltampere|n  *A|Ampere|Ampere|n  *Ah|Amperestunde|Amperestunden|f  *Hz|Hertz|Hertz|n
    *Pa|Pascal|Pascal|n  *bar|Bar|Bar|n  *J|Joule|Joule|n  *B|Byte|Byte|n  *bit|Bit|Bit|n  *Ω|Ohm|Ohm|n
    *s|Sekunde|Sekunden|f  min|Minute|Minuten|f  h|Stunde|Stunden|f  Std|Stunde|Stunden|f  Min|Minute|Minuten|f
    Sek|Sekunde|Sekunden|f  d|Tag|Tage  °C|Grad  °F|Grad Fahrenheit  °|Grad  ℃|Grad  K|Kelvin|Kelvin|n  %|Prozent|Prozent|n
    ‰|Promille|Promille|n  lx|Lux|Lux|n  lm|Lumen|Lumen|n  dB|Dezibel|Dezibel|n  dBm|D B M  t|Tonne|Tonnen|f  ha|Hektar  ppm|P P M  ppb|P P B  kcal|Kilokalorie|Kilokalorien|f
    km/h|Kilometer pro Stunde  Mbit/s|Megabit pro Sekunde  U/min|Umdrehung pro Minute|Umdrehungen pro Minute|f  x|mal
    Stk|Stück|Stück|n  EL|Esslöffel  TL|Teelöffel  Mio|Million|Millionen|f  Mrd|Milliarde|Milliarden|f
    Woche|Woche|Wochen|f  Monat|Monat|Monate  Jahr|Jahr|Jahre|n`,
    { k: 'Kilo', M: 'Mega', G: 'Giga', m: 'Milli', c: 'Zenti', d: 'Dezi', µ: 'Mikro', h: 'Hekto' },
  ),
  currencies: {
    '€': { unit: noun('Euro'), cent: noun('Cent') },
    EUR: { unit: noun('Euro'), cent: noun('Cent') },
    $: { unit: noun('Dollar'), cent: noun('Cent') },
    '£': { unit: { ...noun('Pfund'), gender: 'n' }, cent: noun('Pence') },
    CHF: { unit: noun('Franken'), cent: noun('Rappen') },
    ct: { unit: noun('Cent'), cent: noun('Cent') },
  },
  abbreviations: readAbbreviations(
    `z.B.|zum Beispiel  d.h.|das heißt  u.a.|unter anderem  z.T.|zum Teil  ca.|circa  bzw.|beziehungsweise  usw.|und so weiter
    etc.|et cetera  inkl.|inklusive  exkl.|exklusive  evtl.|eventuell  ggf.|gegebenenfalls  max.|maximal  min.|mindestens
    mind.|mindestens  Nr.|Nummer  Tel.|Telefon  Str.|Straße  Pl.|Platz  Dr.|Doktor  Prof.|Professor  Hr.|Herr  Fr.|Frau
    St.|Sankt  vgl.|vergleiche  Abs.|Absatz  Std.|Stunden  Min.|Minuten  Sek.|Sekunden  Temp.|Temperatur  Wohnz.|Wohnzimmer
    Mo|Montag  Di|Dienstag  Mi|Mittwoch  Do|Donnerstag  Fr|Freitag  Sa|Samstag  Mo.|Montag  Di.|Dienstag  Mi.|Mittwoch
    Do.|Donnerstag  Sa.|Samstag  Jan.|Januar  Feb.|Februar  Aug.|August  Sept.|September  Okt.|Oktober  Nov.|November
    Dez.|Dezember  EG|Erdgeschoss  OG|Obergeschoss  DG|Dachgeschoss  UG|Untergeschoss  WLAN|W LAN  vs.|gegen  MwSt.|Mehrwertsteuer`,
  ),
  beforeNumber: readAbbreviations('S.|Seite'),
  isInitial: (before, afterNumber) =>
    /^(?:Herrn?|Frau|Hr|Fr|Familie|Dr|Prof)$/.test(before) || /^Jahren?$/.test(afterNumber),
  labels:
    /(?:^(?:wohnung|haus|hausnummer|nr|nummer|tür|zimmer|raum|klasse|block|eingang|aufgang|stiege|gate|gleis|steig|bahnsteig|bus|linie|platz|sitz|reihe|halle|gebäude|wecker|alarm|modell|version|paragraf|§)|stra(?:ß|ss)e|str|weg|gasse|platz|allee|ring|ufer|damm)$/i,
  streets: /^(?:straße|weg|platz|allee)$/i,
  alsoWords: setOf('Jan.'),
  beforeDays: /^(?:im|ab|bis|seit|anfang|mitte|ende|nächsten|letzten)$/i,
  sales: /^(?:sale|rabatt|nachlass|skonto|reduziert|ausverkauf)$/i,
  sums: /(?:(?:wie ?viel|was) (?:ist|sind|macht|ergibt|gibt)|rechne)$/i,
  codes: /^(?:pin|code|notruf|rufnummer|kennwort|passwort|plz|durchwahl|raum|zimmernummer)$/i,
  afterTime: /^(?:Uhr|h)$/,
  oclock: 'Uhr',
}

function noun(word: string) {
  return { singular: word, plural: word, gender: 'm' as const }
}
