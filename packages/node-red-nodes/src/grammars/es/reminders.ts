import { numbersByWords } from '../number-words.ts'
import type { ReminderLanguage } from '../reminder-language.ts'
import { spanish } from './numbers-and-times.ts'

const units = {
  second: 'segundos?',
  minute: 'minutos?|min',
  hour: 'horas?|h',
  day: 'días?|dias?',
  week: 'semanas?',
}

const kinds = '(?:temporizador(?:es)?|alarmas?|recordatorios?|cronómetros?)'
const questions = [
  '¿?(?:(?:a|para|hasta) )?(?:qué|cuánt[oa]s?|cuál(?:es)?|cuándo)',
  '¿(?:hay|tengo|está|están|suena|(?:me )?(?:quedan?|faltan?))',
  `(?:hay|tengo)(?= (?:algo|algún|alguna|${kinds})(?! que)(?!\\p{L}))`,
  `(?:muestra|muéstrame|lista|enumera|enséñame|léeme|dime)(?: (?:todos|todas|el|la|los|las|mis?))* ${kinds}`,
  'dime (?:qué|cuánt[oa]s?|cuál(?:es)?|a qué)',
]
/** Times that follow "para" where it means "for": then it does not cancel a reminder. */
const timesBehindPara = `(?:hoy|mañana|pasado|dentro|est[ea](?! ${kinds})|(?:el )?(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|día|próximo|\\d)|las? (?:\\d|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|próxima))`
const cancels = [
  'cancela|borra|elimina|quita|detén|olvida|anula',
  `para(?! ${timesBehindPara})`,
  '(?:canc[eé]la|b[oó]rra|elim[ií]na|qu[ií]ta)l[oa]s?',
  // "Apaga el horno" is about no reminder.
  `(?:apaga|desactiva)(?= (?:(?:todos|todas|el|la|los|las|mis?) )*${kinds})`,
  `(?:¿?(?:puedes|podrías) )?(?:cancelar|borrar|eliminar|quitar|parar|apagar|desactivar)(?:l[oa]s?)?(?= .*(?:${kinds}|tod[oa]s?[ .?!]*$))`,
]

const asking = '(?:por favor,? )?(?:¿?(?:me )?(?:puedes|podrías) )?'
const anyUnit = `(?:${Object.values(units).join('|')})`
/** "Alarga la mesa" and "añade leche a la lista" are what somebody wants to be reminded of. */
const extend = `(?:al[aá]rga|alargar)(?=.* ${anyUnit})|(?:añade|agrega)(?=.* ${anyUnit} al? )`
const later = [
  'mu[eé]ve|mover|apl[aá]za|aplazar|posp[oó]n|posponer|retr[aá]sa|retrasar|atr[aá]sa|atrasar',
  extend,
].join('|')
const earlier = `adel[aá]nta|adelantar|(?:ac[oó]rta|acortar)(?=.* ${anyUnit})`

/** The end of a time, also of one with "am" or "pm" but no blank. */
const clockEnd = '(?=(?: ?[ap]\\.? ?m)?(?![\\p{L}\\p{N}]))'

/** The end, or what says more about the time. */
const timeBehind =
  '(?= *(?:$|[,.!?\\n])| ?[ap]\\.? ?m(?![\\p{L}\\p{N}])| (?:de la|del|en punto|mañana|pasado|hoy|el|cada|todos|por favor)(?!\\p{L}))'

/** A day of the month. Not of "el 47". */
const dayOfMonth = '(?=(?:[12]?\\d|3[01])(?!\\d)){d}'
/** What follows a day of the month, which "el 24 horas" does not contain. */
const afterDate = '(?= *(?:$|[,.!?\\n])| (?:a las?|al|por la|para|que|antes)(?!\\p{L}))'

export const spanishReminders: ReminderLanguage = {
  hasSpaces: true,
  numbers: {
    ...numbersByWords(spanish.writeNumber, (words) => [
      words.normalize('NFD').replace(/\p{Mn}/gu, ''),
    ]),
    una: 1,
    un: 1,
    'treinta y un': 31,
    veintiún: 21,
  },
  ordinals: { primero: 1 },
  amounts: { media: 0.5, 'un cuarto de': 0.25, 'tres cuartos de': 0.75, 'un par de': 2 },
  units,
  more: '(?!)',
  halfBefore: '(?!)',
  andHalf: 'y media',
  andQuarter: 'y cuarto',
  and: ',? y|,',
  further: 'y(?: luego| también)?|o',
  furtherPart:
    '(?:(?:(?:por|de|en|a|todas|cada)(?: las?)?|esta|al) )?(?:mañanas?|mediodía|tardes?|noches?)',
  durationForms: [
    '(?:en|dentro de) {h} horas? y {m}(?! ?(?:segundos?|minutos?|min|horas?|días?|semanas?))',
    '(?:en|dentro de) {duration}',
  ],
  timerForms: [],
  looseDurationForms: ['(?:de|durante|para) {duration}'],
  relativeTo: '(?:antes|después) de',
  byForms: [
    'en {duration}(?!.* a las? )',
    '{duration} (?:antes|después|más tarde)',
    '{duration}(?= al? (?!las? \\d))',
  ],
  to: 'a',
  clockBefore: '(?:(?:a )?las? )?',
  clockAfter: `(?: ?horas| ?h)?${clockEnd}`,
  clockForms: [
    { form: '(?:a las?|las?) {h} y {m} minutos(?! de)', sign: 1 },
    { form: '(?:a las?|las?) {h} y media', plus: 30 },
    { form: '(?:a las?|las?) {h} y cuarto', plus: 15 },
    { form: '(?:a las?|las?) {h} menos cuarto', plus: -15 },
    { form: '(?:a las?|las?) {h} menos {m}', sign: -1 },
    { form: '{m} minutos antes de las? {h}', sign: -1 },
    { form: '(?:a las?|las?) {h} (?:y )?{m}(?! (?:segundos|minutos|horas|días|semanas))', sign: 1 },
    { form: `(?:a las? ){h}(?: ?horas| ?h| en punto)?${clockEnd}` },
    // "Para las siete", but not "para las dos niñas".
    { form: `(?:para|hasta|(?<=alarma )de) las? {h}${timeBehind}` },
    { form: '{h}(?= ?[ap]\\.? ?m(?![\\p{L}\\p{N}]))' },
    { form: '{h} ?h(?:oras)? en punto' },
  ],
  noon: '(?:al?|del) mediodía',
  newClockForms: [],
  oldClockForms: [{ form: '^(?:las? )?{h}$' }],
  midnight: '(?:a )?medianoche',
  morning: '(?:de|por|en) la mañana|esta mañana|de la madrugada|(?<=\\n ?)a\\.? ?m\\.?',
  afternoon: '(?:de|por|en) la tarde|esta tarde|(?<=\\n ?)p\\.? ?m\\.?',
  evening: '(?!)',
  night: '(?:de|por|en) la noche|esta noche',
  thisDay: 'esta (?:mañana|tarde|noche)',
  partsOfDay: {
    morning: '(?:de|por|en) la mañana',
    afternoon: '(?:de|por|en) la tarde',
    night: '(?:de|por|en) la noche',
  },
  days: [
    { word: 'pasado mañana', days: 2 },
    { word: 'mañana', days: 1 },
    { word: 'hoy', days: 0 },
  ],
  weekdays: ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado'],
  weekdayForms: ['(?:el |este |el próximo |próximo )?{weekday}(?: que viene| próximo)?'],
  laterWeekdayForms: [
    { form: '(?:el )?{weekday} de la (?:próxima semana|semana que viene)', weeks: 1 },
    { form: 'la (?:próxima semana|semana que viene),? (?:el )?{weekday}', weeks: 1 },
  ],
  weeksAfterForms: [{ form: '(?:el )?{weekday}{part} (?:en|dentro de) {n} semanas?' }],
  weekend: '(?:el |este |el próximo |próximo )fin de semana(?: que viene| próximo)?',
  months:
    'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre'.split(
      ' ',
    ),
  dateForms: [
    '(?:el )?(?:{weekday}{part},? (?:el )?)?(?:día )?{d} de {month}(?: del? {year})?',
    '(?:el )?(?:{weekday}{part},? (?:el )?)?{d}/(?<month>1[0-2]|0?[1-9])(?:/{year})?',
    `(?:{weekday}{part},? )?el día ${dayOfMonth}`,
    `(?:el |{weekday}{part},? (?:el )?)${dayOfMonth}${afterDate}`,
  ],
  newDateForms: [],
  recurrences: {
    everyDay: 'cada día|todos los días|diariamente',
    workdays:
      '(?:cada|todos los|los|en) (?:día|días) (?:laborables?|de trabajo|hábil(?:es)?)|entre semana',
    weekends: '(?:cada|todos los|los) (?:fin|fines) de semana',
    everyPart: {
      morning: 'cada mañana|todas las mañanas',
      noon: 'cada mediodía|todos los mediodías',
      evening: 'cada tarde|todas las tardes',
      night: 'cada noche|todas las noches',
    },
    everyWeekday: ['cada semana,? (?:el|los) {weekdays}', '(?:cada|todos los|los) {weekdays}'],
    everyRange: ['(?:de |del |todos los días de )?{range}'],
    through: 'a|al',
    again: '(?:cada|todos los|los|el) ',
    exceptWeekdays: '(?:menos|excepto|salvo)(?: el| los)? {weekdays}',
    exceptWeekends: '(?:menos|excepto|salvo)(?: el| los)? (?:fin|fines) de semana',
    irregular: [
      '(?:{weekday}|día|semana|mes) sí y otr[oa] no',
      'cada {n} (?:{weekday}s?|fines de semana)',
      '(?:cada|todos los) (?:{n} )?(?:mes|meses|año|años)',
      // Which day that is depends on the month.
      '(?:el )?(?:primer|segundo|tercer|cuarto|último) {weekday} (?:de|del)',
    ],
    interval: ['cada {n} {unit}', 'cada {unit}'],
  },
  before: `por favor|¿?(?:puedes|podrías)|recuérdame|recuerdame|(?:pon|crea|añade|inicia|programa)(?:me)?(?: (?:un|una|el|la|otro|mi))*|despiértame|(?:temporizador|alarma|recordatorio|cronómetro)(?: (?:de|para|llamado))?|(?:el|la|al|mi)(?= ${kinds}(?!\\p{L}))|hasta|que|de|para(?! (?:el|la|los|las) )|a|en|el|y|llamado`,
  after:
    '(?:temporizador|alarma|recordatorio)|por favor|para|(?:del?|desde)(?: las?)?|al?|en|el|y|llamado',
  commands: {
    cancel: `(?:por favor,? )?(?:${cancels.join('|')})(?: por favor)?(?: (?:los|las|mis) ${kinds}(?=[ .!?]*$)| (?:el|la|los|las|mis?|eso|esto))?`,
    task: '(?:por favor,? )?(?:quita|detén|para)',
    kinds,
    all: `(?:todo|todos|todas|cada)(?: (?:los|las|mis))?(?: ${kinds}(?:(?:,|,? [yo]) (?:(?:todos|todas|los|las|mis) )*${kinds})*)?(?: (?:activ[oa]s|en curso|que tengo))?(?: (?:ahora(?: mismo)?|ya))?`,
    except: '(?:todo|todos|todas|cada).*? (?:menos|excepto|salvo)',
    question: questions.join('|'),
    // Without a question mark, "hay que" and "tengo" begin what somebody wants to be reminded of.
    list: '(?:lista|muestra|enumera|hay|tengo)',
    from: '(?<= (?:del?|desde) )(?:(?! (?:del?|desde) ).)+?(?= (?:al?|hasta|para) )',
    change: `${asking}(?:c[aá]mbia|cambiar|${later}|${earlier})(?:l[oa]s?)?(?: (?:el|la|los|las|mis?|eso|esto))?`,
    later: `${asking}(?:${later})(?:l[oa]s?)?`,
    extend: `${asking}(?:${extend})(?:l[oa]s?)?`,
    earlier: `${asking}(?:${earlier}|(?:c[aá]mbia|cambiar|mu[eé]ve|mover)(?=.* antes))(?:l[oa]s?)?`,
  },
  sentences: {
    timer: 'Temporizador',
    reminder: 'Recordatorio',
    set: '{name}: {time}.',
    due: 'El temporizador ha terminado: {time}.',
    now: 'Es la hora: {time}.',
    half: '{name}: ha pasado la mitad del tiempo, quedan {left}.',
    late: '{name}. Este recordatorio llega tarde, era para: {time}.',
    left: '{name}: quedan {left}.',
    cancelled: 'Cancelado: {name}.',
    cancelledAll: 'Todos los temporizadores y recordatorios están cancelados.',
    none: 'No hay ningún temporizador ni recordatorio.',
    unknown: 'No hay ningún temporizador ni recordatorio con ese nombre. Hay: {list}.',
    which: '¿Cuál? {list}.',
    tomorrow: 'mañana',
    everyDay: 'todos los días',
    every: 'cada {time}',
  },
}
