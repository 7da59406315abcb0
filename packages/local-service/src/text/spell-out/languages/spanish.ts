import { setOf } from '../word.ts'
import { type Gender, type Language, readAbbreviations, readUnits } from './language.ts'

const ones =
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve'.split(
    ' ',
  )
const tens = '- - veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' ')
const hundreds =
  '- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(
    ' ',
  )

function cardinal(value: number, gender?: Gender): string {
  if (value < 30) {
    const word = ones[value]!
    if (!gender || value % 10 !== 1 || value === 11) return word
    if (gender === 'f') return word.replace(/o$/, 'a')
    return value === 1 ? 'un' : 'veintiún'
  }
  if (value < 100) {
    const ten = tens[Math.floor(value / 10)]!
    return value % 10 === 0 ? ten : `${ten} y ${cardinal(value % 10, gender)}`
  }
  if (value === 100) return 'cien'
  if (value < 1000) {
    const hundred = hundreds[Math.floor(value / 100)]!
    const start = gender === 'f' ? hundred.replace(/os$/, 'as') : hundred
    return value % 100 === 0 ? start : `${start} ${cardinal(value % 100, gender)}`
  }
  const isThousand = value < 1_000_000
  const size = isThousand ? 1000 : 1_000_000
  const count = Math.floor(value / size)
  const name = isThousand ? 'mil' : count === 1 ? 'millón' : 'millones'
  const start =
    isThousand && count === 1
      ? name
      : `${cardinal(count, isThousand ? (gender ?? 'm') : 'm')} ${name}`
  return value % size === 0 ? start : `${start} ${cardinal(value % size, gender)}`
}

const ordinals =
  '- primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo'.split(
    ' ',
  )

function ordinal(value: number, mark: string): string {
  const word = ordinals[value] ?? cardinal(value)
  if (/[aª]$/.test(mark)) return word.replace(/o$/, 'a')
  return /er$/.test(mark) ? word.replace(/o$/, '') : word
}

export const spanish: Language = {
  cardinal,
  ordinalMark: /^(?:\.?[ºª°]|\.?er|\.?o|\.?a)$/,
  ordinal,
  time(hours, minutes) {
    const start = cardinal(hours, 'f')
    return minutes === 0 ? start : `${start} y ${cardinal(minutes)}`
  },
  date: (day, month, year) =>
    [
      day === 1 ? 'uno' : cardinal(day),
      `de ${month}`,
      ...(year === undefined ? [] : [`de ${cardinal(year)}`]),
    ].join(' '),
  months:
    'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
      ' ',
    ),
  weekdays: readAbbreviations(
    'lun|lunes  mar|martes  mié|miércoles  mie|miércoles  jue|jueves  vie|viernes  sáb|sábado  sab|sábado  dom|domingo',
  ),
  money: (whole, cents) => `${whole.count} ${whole.unit}${cents ? ` con ${cents.count}` : ''}`,
  genderOf: (noun) =>
    /^(?:por|para|con|del|entre|sobre|desde|hasta|llen[oa]|vací[oa]|abiert[oa]|cargad[oa])$/.test(
      noun,
    )
      ? undefined
      : !/^(?:días?|mapas?|problemas?|sistemas?|temas?|programas?|climas?)$/.test(noun) &&
          /(?:as?|ción|ciones|dad|dades|luz|luces)$/.test(noun)
        ? 'f'
        : 'm',
  fractionOf: (part, noun, gender) =>
    part === '1/2'
      ? `${gender === 'f' ? 'media' : 'medio'} ${noun}`
      : `${spanish.fractions[part]} de ${noun}`,
  mixedNumber(whole, part, noun, gender) {
    const half = gender === 'f' ? 'media' : 'medio'
    const added = part === '1/2' ? half : part === '1/4' ? 'cuarto' : spanish.fractions[part]
    return [cardinal(whole, gender), noun, 'y', added].filter((word) => word !== '').join(' ')
  },
  isSingularWithFraction: true,
  readsDecimalsAsNumber: true,
  readsPairs: false,
  words: {
    comma: 'coma',
    dot: 'punto',
    at: 'arroba',
    to: 'a',
    per: 'por',
    against: 'a',
    over: 'sobre',
    seconds: { singular: 'segundo', plural: 'segundos', gender: 'm' },
    square: (unit) => `${unit} ${unit.endsWith('s') ? 'cuadrados' : 'cuadrado'}`,
    cubic: (unit) => `${unit} ${unit.endsWith('s') ? 'cúbicos' : 'cúbico'}`,
  },
  signs: {
    '-': 'menos',
    '+': 'más',
    '±': 'más o menos',
    '~': 'unos',
    '≈': 'unos',
    '<': 'menos de',
    '>': 'más de',
    '≤': 'como máximo',
    '≥': 'al menos',
    '&': 'y',
    '=': 'igual a',
    '×': 'por',
    '*': 'por',
    '→': 'hacia',
    '%': 'por ciento',
    '€': 'euros',
    '@': 'arroba',
    '#': 'número',
    '°': 'grados',
    '§': 'párrafo',
  },
  fractions: {
    '1/2': 'medio',
    '½': 'medio',
    '1/3': 'un tercio',
    '⅓': 'un tercio',
    '2/3': 'dos tercios',
    '⅔': 'dos tercios',
    '1/4': 'un cuarto',
    '¼': 'un cuarto',
    '3/4': 'tres cuartos',
    '¾': 'tres cuartos',
  },
  units: readUnits(
    `*m|metro|metros  *g|gramo|gramos  *l|litro|litros  *L|litro|litros  *W|vatio|vatios  *Wh|vatio hora|vatios hora
    *Wp|vatio pico|vatios pico  *V|voltio|voltios  *VA|voltamperio|voltamperios  *A|amperio|amperios
    *Ah|amperio hora|amperios hora  *Hz|hercio|hercios  *Pa|pascal|pascales  *bar|bar|bares  *J|julio|julios  *B|byte|bytes
    *bit|bit|bits  *Ω|ohmio|ohmios  *s|segundo|segundos  min|minuto|minutos  h|hora|horas|f  d|día|días  °C|grado|grados
    °F|grado Fahrenheit|grados Fahrenheit  °|grado|grados  ℃|grado|grados  K|kelvin  %|por ciento  ‰|por mil  lx|lux
    lm|lumen|lúmenes  dB|decibelio|decibelios  dBm|D B M  t|tonelada|toneladas|f  ha|hectárea|hectáreas|f  ppm|P P M  ppb|P P B
    kcal|kilocaloría|kilocalorías|f  km/h|kilómetro por hora|kilómetros por hora  mm|milímetro|milímetros
    cm|centímetro|centímetros  km|kilómetro|kilómetros  Mbit/s|megabit por segundo|megabits por segundo
    rpm|revolución por minuto|revoluciones por minuto|f  x|vez|veces|f
    semana|semana|semanas|f  mes|mes|meses  año|año|años`,
    { k: 'kilo', M: 'mega', G: 'giga', m: 'mili', c: 'centi', d: 'deci', µ: 'micro', h: 'hecto' },
  ),
  currencies: {
    '€': { unit: noun('euro'), cent: noun('céntimo') },
    EUR: { unit: noun('euro'), cent: noun('céntimo') },
    $: { unit: noun('dólar', 'dólares'), cent: noun('centavo') },
    '£': { unit: { singular: 'libra', plural: 'libras', gender: 'f' }, cent: noun('penique') },
    CHF: { unit: noun('franco suizo', 'francos suizos'), cent: noun('céntimo') },
    ct: { unit: noun('céntimo'), cent: noun('céntimo') },
  },
  abbreviations: readAbbreviations(
    `Sr.|señor  Sra.|señora  Srta.|señorita  Dr.|doctor  Dra.|doctora  D.|don  Dña.|doña  Ud.|usted  Uds.|ustedes  c/|calle
    C/|calle  Avda.|avenida  avda.|avenida  Av.|avenida  av.|avenida  Pza.|plaza  Pl.|plaza  pl.|plaza  P.º|paseo  Ctra.|carretera
    ctra.|carretera  n.º|número  N.º|número  nº|número  Nº|número  núm.|número  tel.|teléfono  Tel.|teléfono  tfno.|teléfono
    dcha.|derecha  izda.|izquierda  izq.|izquierda  aprox.|aproximadamente  p.ej.|por ejemplo  ej.|ejemplo  etc.|etcétera
    máx.|máximo  mín.|mínimo  temp.|temperatura  pág.|página  p.|página  págs.|páginas  pp.|páginas  depto.|departamento  dpto.|departamento  ptal.|portal  bj.|bajo
    lun.|lunes  mar.|martes  mié.|miércoles  jue.|jueves  vie.|viernes  sáb.|sábado  dom.|domingo  ene.|enero  feb.|febrero
    abr.|abril  jun.|junio  jul.|julio  ago.|agosto  sept.|septiembre  oct.|octubre  nov.|noviembre  dic.|diciembre
    EE.UU.|Estados Unidos  vs.|contra  Vd.|usted  WiFi|wifi  IVA|iva  a.m.|de la mañana  am|de la mañana  pm|de la tarde  p.m.|de la tarde`,
  ),
  labels:
    /^(?:piso|puerta|apartamento|apto|departamento|depto|dpto|casa|portal|ptal|bloque|escalera|planta|habitación|aula|clase|entrada|edificio|número|núm|n\.?º|andén|vía|línea|bus|autobús|asiento|fila|alarma|despertador|modelo|versión)$/i,
  streets: /^(?:calle|c\/|avenida|avda|av|plaza|pza|pl|paseo|carretera|ctra|camino|ronda)$/i,
  alsoWords: setOf('mar.'),
  beforeDays: /^(?:en|desde|hasta|cada|próximo|pasado)$/i,
  sales: /^(?:rebajas?|descuento|promo|promoción)$/i,
  sums: /(?:cuánto (?:es|son|da)|calcula)$/i,
  codes: /^(?:código|pin|clave|extensión|emergencias)$/i,
  telephone: /^[6-9]\d{8}$/,
  afterTime: /^(?:horas?|h|hs|hrs)$/,
  oneOclock: { las: 'la ', 'son las': 'es la ' },
}

function noun(singular: string, plural = `${singular}s`) {
  return { singular, plural, gender: 'm' as const }
}
