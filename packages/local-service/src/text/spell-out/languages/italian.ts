import { setOf } from '../word.ts'
import { type Gender, type Language, readAbbreviations, readUnits } from './language.ts'

const ones =
  'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove'.split(
    ' ',
  )
const tens = '- dieci venti trenta quaranta cinquanta sessanta settanta ottanta novanta'.split(' ')

function cardinal(value: number, gender?: Gender): string {
  if (value === 1 && gender) return gender === 'f' ? 'una' : 'un'
  if (value < 20) return ones[value]!
  if (value < 100) {
    const ten = tens[Math.floor(value / 10)]!
    const unit = value % 10
    if (unit === 0) return ten
    if (unit === 3) return `${ten}tré`
    return (unit === 1 || unit === 8 ? ten.slice(0, -1) : ten) + ones[unit]
  }
  if (value < 1000) {
    const hundreds = Math.floor(value / 100)
    const start = hundreds === 1 ? 'cento' : `${ones[hundreds]}cento`
    const rest = value % 100
    const isOpen = rest === 8 || Math.floor(rest / 10) === 8
    return rest === 0 ? start : (isOpen ? start.slice(0, -1) : start) + cardinal(rest)
  }
  if (value < 1_000_000) {
    const thousands = Math.floor(value / 1000)
    const start = thousands === 1 ? 'mille' : `${cardinal(thousands)}mila`
    return value % 1000 === 0 ? start : start + cardinal(value % 1000)
  }
  const millions = Math.floor(value / 1_000_000)
  const start = millions === 1 ? 'un milione' : `${cardinal(millions)} milioni`
  return value % 1_000_000 === 0 ? start : `${start} ${cardinal(value % 1_000_000)}`
}

const ordinals = '- primo secondo terzo quarto quinto sesto settimo ottavo nono decimo'.split(' ')

function ordinal(value: number, mark: string): string {
  const word =
    ordinals[value] ??
    `${cardinal(value)
      .replace(/[aeiou]$/, '')
      .replace(/é$/, 'e')}esimo`
  return mark === 'ª' || mark === 'a' ? word.replace(/o$/, 'a') : word
}

export const italian: Language = {
  cardinal,
  ordinalMark: /^(?:º|ª|°|o|a)$/,
  ordinal,
  time(hours, minutes) {
    const start = hours === 1 ? 'una' : cardinal(hours)
    return minutes === 0 ? start : `${start} e ${cardinal(minutes)}`
  },
  date: (day, month, year) =>
    [
      day === 1 ? 'primo' : cardinal(day),
      month,
      ...(year === undefined ? [] : [cardinal(year)]),
    ].join(' '),
  months:
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(
      ' ',
    ),
  weekdays: readAbbreviations(
    'lun|lunedì  mar|martedì  mer|mercoledì  gio|giovedì  ven|venerdì  sab|sabato  dom|domenica',
  ),
  money: (whole, cents) => `${whole.count} ${whole.unit}${cents ? ` e ${cents.count}` : ''}`,
  genderOf: (noun) =>
    /^(?:per|con|del|dei|della|tra|fra|alla|sulla|nella|pien[oa]|vuot[oa]|apert[oa]|caric[oa])$/.test(
      noun,
    )
      ? undefined
      : /(?:a|à|zione|luce|chiave|^ore|tazze|fette|settimane|notti)$/.test(noun)
        ? 'f'
        : 'm',
  beforeNoun(count, noun) {
    if (count === 'una' && /^[aeiou]/i.test(noun)) return "un'"
    return count === 'un' && /^(?:s[^aeiou]|z|gn|ps|x|y)/i.test(noun) ? 'uno' : count
  },
  fractionOf: (part, noun, gender) =>
    part === '1/2'
      ? `${gender === 'f' ? 'mezza' : 'mezzo'} ${noun}`
      : `${italian.fractions[part]} ${/^[aeiou]/i.test(noun) ? "d'" : 'di '}${noun}`,
  mixedNumber(whole, part, noun, gender) {
    const count = cardinal(whole, gender)
    const number = noun === '' ? count : italian.beforeNoun!(count, noun, '', gender)
    const half = gender === 'f' ? 'mezza' : 'mezzo'
    const added = part === '1/2' ? half : italian.fractions[part]
    return [number, noun, 'e', added].filter((word) => word !== '').join(' ')
  },
  isSingularWithFraction: true,
  readsDecimalsAsNumber: true,
  readsPairs: false,
  words: {
    comma: 'virgola',
    dot: 'punto',
    at: 'chiocciola',
    to: 'a',
    per: 'per',
    against: 'a',
    over: 'su',
    seconds: { singular: 'secondo', plural: 'secondi', gender: 'm' },
    square: (unit) => `${unit} ${unit.endsWith('i') ? 'quadrati' : 'quadrato'}`,
    cubic: (unit) => `${unit} ${unit.endsWith('i') ? 'cubi' : 'cubo'}`,
  },
  signs: {
    '-': 'meno',
    '+': 'più',
    '±': 'più o meno',
    '~': 'circa',
    '≈': 'circa',
    '<': 'meno di',
    '>': 'più di',
    '≤': 'al massimo',
    '≥': 'almeno',
    '&': 'e',
    '=': 'uguale',
    '×': 'per',
    '*': 'per',
    '→': 'verso',
    '%': 'per cento',
    '€': 'euro',
    '@': 'chiocciola',
    '#': 'numero',
    '°': 'gradi',
    '§': 'paragrafo',
  },
  fractions: {
    '1/2': 'mezzo',
    '½': 'mezzo',
    '1/3': 'un terzo',
    '⅓': 'un terzo',
    '2/3': 'due terzi',
    '⅔': 'due terzi',
    '1/4': 'un quarto',
    '¼': 'un quarto',
    '3/4': 'tre quarti',
    '¾': 'tre quarti',
  },
  units: readUnits(
    `*m|metro|metri  *g|grammo|grammi  *l|litro|litri  *L|litro|litri  *W|watt  *Wh|wattora  *Wp|watt di picco  *V|volt
    *VA|voltampere  *A|ampere  *Ah|amperora  *Hz|hertz  *Pa|pascal  *bar|bar  *J|joule  *B|byte  *bit|bit  *Ω|ohm
    *s|secondo|secondi  min|minuto|minuti  h|ora|ore|f  g|grammo|grammi  gg|giorno|giorni  °C|grado|gradi
    °F|grado Fahrenheit|gradi Fahrenheit  °|grado|gradi  ℃|grado|gradi  K|kelvin  %|per cento  ‰|per mille  lx|lux  lm|lumen
    dB|decibel  dBm|D B M  t|tonnellata|tonnellate|f  ha|ettaro|ettari  ppm|P P M  ppb|P P B  kcal|chilocaloria|chilocalorie|f
    km/h|chilometro orario|chilometri orari  Mbit/s|megabit al secondo  giri/min|giro al minuto|giri al minuto  x|volta|volte|f
    settimana|settimana|settimane|f  mese|mese|mesi  anno|anno|anni`,
    { k: 'chilo', M: 'mega', G: 'giga', m: 'milli', c: 'centi', d: 'deci', µ: 'micro', h: 'etto' },
  ),
  currencies: {
    '€': { unit: noun('euro', 'euro'), cent: noun('centesimo', 'centesimi') },
    EUR: { unit: noun('euro', 'euro'), cent: noun('centesimo', 'centesimi') },
    $: { unit: noun('dollaro', 'dollari'), cent: noun('centesimo', 'centesimi') },
    '£': {
      unit: { singular: 'sterlina', plural: 'sterline', gender: 'f' },
      cent: noun('penny', 'pence'),
    },
    CHF: {
      unit: noun('franco svizzero', 'franchi svizzeri'),
      cent: noun('centesimo', 'centesimi'),
    },
    ct: { unit: noun('centesimo', 'centesimi'), cent: noun('centesimo', 'centesimi') },
  },
  abbreviations: readAbbreviations(
    `sig.|signor  Sig.|signor  sig.ra|signora  Sig.ra|signora  dott.|dottor  Dott.|dottor  prof.|professor  Prof.|professor
    ing.|ingegner  avv.|avvocato  v.le|viale  V.le|viale  p.zza|piazza  P.zza|piazza  P.za|piazza  c.so|corso  C.so|corso
    l.go|largo  int.|interno  sc.|scala  n.|numero  N.|numero  nr.|numero  tel.|telefono  Tel.|telefono  es.|esempio
    p.es.|per esempio  ecc.|eccetera  ca.|circa  max.|massimo  min.|minimo  temp.|temperatura  pag.|pagina  p.|pagina  pagg.|pagine  pp.|pagine  art.|articolo
    lun.|lunedì  mar.|martedì  mer.|mercoledì  gio.|giovedì  ven.|venerdì  sab.|sabato  dom.|domenica  gen.|gennaio
    feb.|febbraio  apr.|aprile  mag.|maggio  giu.|giugno  lug.|luglio  ago.|agosto  set.|settembre  ott.|ottobre
    nov.|novembre  dic.|dicembre  P.T.|piano terra  vs|contro  S.|San  c.a.|corrente anno  WiFi|Wi-Fi  IVA|iva  h|ore`,
  ),
  labels:
    /^(?:interno|int|scala|sc|piano|appartamento|casa|camera|stanza|porta|aula|classe|blocco|ingresso|edificio|numero|n|nr|civico|binario|linea|bus|gate|posto|fila|sveglia|allarme|modello|versione)$/i,
  streets: /^(?:via|viale|v\.le|piazza|p\.zza|p\.za|corso|c\.so|largo|l\.go|vicolo|strada)$/i,
  alsoWords: setOf('mar. ago. set.'),
  beforeDays: /^(?:in|da|dal|entro|fino|fine|inizio|ogni|prossimo|scorso)$/i,
  sales: /^(?:saldi|sconto|ribasso|promo|promozione)$/i,
  sums: /(?:quanto fa(?:nno)?|calcola)$/i,
  codes: /^(?:codice|pin|cap|interno|emergenza)$/i,
  telephone: /^3\d{8,9}$/,
  afterTime: /^(?:ore|h)$/,
  oneOclock: { alle: "all'", dalle: "dall'", le: "l'", 'sono le': "è l'" },
}

function noun(singular: string, plural: string) {
  return { singular, plural, gender: 'm' as const }
}
