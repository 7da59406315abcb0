import { setOf } from '../word.ts'
import { type Gender, type Language, readAbbreviations, readUnits } from './language.ts'

const ones =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  )
const tens =
  '- dix vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' ')

function cardinal(value: number, gender: Gender = 'm', isBeforeThousand = false): string {
  const one = gender === 'f' ? 'une' : 'un'
  if (value === 1) return one
  if (value < 20) return ones[value]!
  if (value < 100) {
    const ten = Math.floor(value / 10)
    // 70 and 90 count on from 60 and 80.
    const unit = value - (ten === 7 || ten === 9 ? ten - 1 : ten) * 10
    if (unit === 0) return tens[ten]! + (ten === 8 && !isBeforeThousand ? 's' : '')
    const isJoinedByEt = (unit === 1 || unit === 11) && ten < 8
    return `${tens[ten]}${isJoinedByEt ? ' et ' : '-'}${cardinal(unit, gender)}`
  }
  if (value < 1000) {
    const hundreds = Math.floor(value / 100)
    const rest = value % 100
    const start = hundreds === 1 ? 'cent' : `${ones[hundreds]} cent`
    if (rest === 0) return start + (hundreds > 1 && !isBeforeThousand ? 's' : '')
    return `${start} ${cardinal(rest, gender, isBeforeThousand)}`
  }
  const isThousand = value < 1_000_000
  const size = isThousand ? 1000 : 1_000_000
  const count = Math.floor(value / size)
  const name = isThousand ? 'mille' : count === 1 ? 'million' : 'millions'
  const start = isThousand && count === 1 ? name : `${cardinal(count, 'm', isThousand)} ${name}`
  return value % size === 0 ? start : `${start} ${cardinal(value % size, gender)}`
}

function ordinal(value: number, mark: string): string {
  if (value === 1) return /^(?:re|ère)$/.test(mark) ? 'première' : 'premier'
  const word = cardinal(value)
  return `${word
    .replace(/e$/, '')
    .replace(/cinq$/, 'cinqu')
    .replace(/neuf$/, 'neuv')
    .replace(/vingts$/, 'vingt')}ième`
}

const feminine =
  /(?:tion|té|ette|elle|ère|lampe|minute|heure|seconde|semaine|personne|porte|fenêtre|pièce|caméra|année|machine|pompe|prise|pile|chambre|fois)s?$/i

export const french: Language = {
  cardinal,
  ordinalMark: /^(?:er|re|ère|e|è|ème|eme|nd|nde)$/,
  ordinal,
  time(hours, minutes) {
    const start = `${cardinal(hours, 'f')} ${hours < 2 ? 'heure' : 'heures'}`
    return minutes === 0 ? start : `${start} ${cardinal(minutes, 'f')}`
  },
  date: (day, month, year) =>
    [
      day === 1 ? 'premier' : cardinal(day),
      month,
      ...(year === undefined ? [] : [cardinal(year)]),
    ].join(' '),
  months:
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
      ' ',
    ),
  weekdays: readAbbreviations(
    'lun|lundi  mar|mardi  mer|mercredi  jeu|jeudi  ven|vendredi  sam|samedi  dim|dimanche',
  ),
  money: (whole, cents) => `${whole.count} ${whole.unit}${cents ? ` ${cents.count}` : ''}`,
  genderOf: (noun) =>
    /^(?:par|sur|pour|dans|avec|sous|chez|pleine?|vide|ouverte?|fermée?|chargée?)$/.test(noun)
      ? undefined
      : feminine.test(noun)
        ? 'f'
        : 'm',
  fractionOf: (part, noun, gender) =>
    part === '1/2'
      ? `${gender === 'f' ? 'une' : 'un'} demi ${noun}`
      : `${french.fractions[part]} ${/^[aeiouhéèê]/i.test(noun) ? "d'" : 'de '}${noun}`,
  mixedNumber(whole, part, noun, gender) {
    const half = gender === 'f' ? 'demie' : 'demi'
    const added = part === '1/2' ? half : part === '1/4' ? 'quart' : french.fractions[part]
    return [cardinal(whole, gender), noun, 'et', added].filter((word) => word !== '').join(' ')
  },
  isSingularWithFraction: true,
  readsDecimalsAsNumber: true,
  readsPairs: true,
  words: {
    comma: 'virgule',
    dot: 'point',
    at: 'arobase',
    to: 'à',
    per: 'par',
    against: 'à',
    over: 'sur',
    seconds: { singular: 'seconde', plural: 'secondes', gender: 'f' },
    square: (unit) => `${unit} ${unit.endsWith('s') ? 'carrés' : 'carré'}`,
    cubic: (unit) => `${unit} ${unit.endsWith('s') ? 'cubes' : 'cube'}`,
  },
  signs: {
    '-': 'moins',
    '+': 'plus',
    '±': 'plus ou moins',
    '~': 'environ',
    '≈': 'environ',
    '<': 'moins de',
    '>': 'plus de',
    '≤': 'au plus',
    '≥': 'au moins',
    '&': 'et',
    '=': 'égale',
    '×': 'fois',
    '*': 'fois',
    '→': 'vers',
    '%': 'pour cent',
    '€': 'euros',
    '@': 'arobase',
    '#': 'numéro',
    '°': 'degrés',
    '§': 'paragraphe',
  },
  fractions: {
    '1/2': 'un demi',
    '½': 'un demi',
    '1/3': 'un tiers',
    '⅓': 'un tiers',
    '2/3': 'deux tiers',
    '⅔': 'deux tiers',
    '1/4': 'un quart',
    '¼': 'un quart',
    '3/4': 'trois quarts',
    '¾': 'trois quarts',
  },
  units: readUnits(
    `*m|mètre|mètres  *g|gramme|grammes  *l|litre|litres  *L|litre|litres  *W|watt|watts  *Wh|wattheure|wattheures
    *Wp|watt-crête|watts-crête  *V|volt|volts  *VA|voltampère|voltampères  *A|ampère|ampères  *Ah|ampère-heure|ampères-heure
    *Hz|hertz  *Pa|pascal|pascals  *bar|bar|bars  *J|joule|joules  *B|octet|octets  *o|octet|octets  *Ω|ohm|ohms
    *s|seconde|secondes|f  min|minute|minutes|f  mn|minute|minutes|f  h|heure|heures|f  j|jour|jours  °C|degré|degrés
    °F|degré Fahrenheit|degrés Fahrenheit  °|degré|degrés  ℃|degré|degrés  K|kelvin|kelvins  %|pour cent  ‰|pour mille
    lx|lux  lm|lumen|lumens  dB|décibel|décibels  dBm|D B M  t|tonne|tonnes|f  ha|hectare|hectares  ppm|P P M  ppb|P P B
    kcal|kilocalorie|kilocalories|f  km/h|kilomètre heure|kilomètres heure  Mbit/s|mégabit par seconde|mégabits par seconde
    tr/min|tour par minute|tours par minute  x|fois|fois|f  M€|million d'euros|millions d'euros
    semaine|semaine|semaines|f  mois|mois  an|an|ans`,
    { k: 'kilo', M: 'méga', G: 'giga', m: 'milli', c: 'centi', d: 'déci', µ: 'micro', h: 'hecto' },
  ),
  currencies: {
    '€': { unit: noun('euro'), cent: noun('centime') },
    EUR: { unit: noun('euro'), cent: noun('centime') },
    $: { unit: noun('dollar'), cent: noun('cent') },
    '£': { unit: { singular: 'livre', plural: 'livres', gender: 'f' }, cent: noun('penny') },
    CHF: { unit: noun('franc suisse', 'francs suisses'), cent: noun('centime') },
    ct: { unit: noun('centime'), cent: noun('centime') },
  },
  abbreviations: readAbbreviations(
    `M.|monsieur  Mme|madame  Mlle|mademoiselle  Dr|docteur  Pr|professeur  St|saint  Ste|sainte  av.|avenue  bd|boulevard
    bd.|boulevard  bld|boulevard  pl.|place  rte|route  ch.|chemin  imp.|impasse  all.|allée  apt|appartement  apt.|appartement
    bât.|bâtiment  n°|numéro  N°|numéro  no.|numéro  tél.|téléphone  Tél.|téléphone  env.|environ  p.ex.|par exemple
    ex.|exemple  c.-à-d.|c'est-à-dire  etc.|et cetera  max.|maximum  min.|minimum  temp.|température  s.v.p.|s'il vous plaît
    svp|s'il vous plaît  RDC|rez-de-chaussée  rdc|rez-de-chaussée  lun.|lundi  mar.|mardi  mer.|mercredi  jeu.|jeudi  ven.|vendredi
    sam.|samedi  dim.|dimanche  janv.|janvier  févr.|février  avr.|avril  juil.|juillet  sept.|septembre  oct.|octobre
    nov.|novembre  déc.|décembre  vs|contre  cf.|voir  p.|page  pp.|pages  chap.|chapitre  WiFi|Wi-Fi  SdB|salle de bain  TTC|T T C`,
  ),
  labels:
    /^(?:appartement|appt|apt|maison|chambre|porte|salle|classe|étage|bâtiment|bât|bloc|escalier|entrée|numéro|n°|quai|voie|ligne|bus|place|siège|réveil|alarme|modèle|version)$/i,
  streets:
    /^(?:rue|avenue|av|boulevard|bd|bld|place|pl|chemin|ch|route|rte|impasse|imp|allée|all|quai|cours)$/i,
  alsoWords: setOf('mar. mer. jeu. sept. ex. no.'),
  beforeDays: /^(?:en|dès|depuis|fin|début|prochain|chaque)$/i,
  sales: /^(?:soldes?|remise|rabais|promo|promotion|réduction)$/i,
  sums: /(?:combien (?:font|fait)|calcule)$/i,
  codes: /^(?:code|pin|poste|digicode)$/i,
  afterTime: /^(?:heures?|h)$/,
}

function noun(singular: string, plural = `${singular}s`) {
  return { singular, plural, gender: 'm' as const }
}
