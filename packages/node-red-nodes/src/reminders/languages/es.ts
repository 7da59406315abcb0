import type { ReminderLanguage } from './language.ts'
import { numbersByWords } from './number-words.ts'

const units = {
  second: 'segundos?',
  minute: 'minutos?|min',
  hour: 'horas?',
  day: 'días?|dias?',
  week: 'semanas?',
}

export const spanish: ReminderLanguage = {
  hasSpaces: true,
  numbers: {
    ...numbersByWords('es', (words) => [words.normalize('NFD').replace(/\p{Mn}/gu, '')]),
    una: 1,
    un: 1,
    'treinta y un': 31,
    veintiún: 21,
  },
  amounts: { media: 0.5, 'un cuarto de': 0.25, 'tres cuartos de': 0.75, 'un par de': 2 },
  units,
  halfBefore: '(?!)',
  andHalf: 'y media',
  and: ',? y|,',
  durationForms: ['(?:en|dentro de) {duration}'],
  looseDurationForms: ['(?:de|durante|para) {duration}'],
  clockBefore: '(?:a las? )?',
  clockAfter: '(?: horas| h)?',
  clockForms: [
    { form: '(?:a las?|las?) {h} y media', plus: 30 },
    { form: '(?:a las?|las?) {h} y cuarto', plus: 15 },
    { form: '(?:a las?|las?) {h} menos cuarto', plus: -15 },
    { form: '(?:a las?|las?) {h} menos {m}', sign: -1 },
    { form: '(?:a las?|las?) {h} (?:y )?{m}(?! (?:segundos|minutos|horas|días|semanas))', sign: 1 },
    { form: '(?:a las? ){h}(?: horas| en punto)?' },
    { form: '{h} ?h(?:oras)? en punto' },
  ],
  noon: 'al? mediodía',
  midnight: '(?:a )?medianoche',
  morning: '(?:de|por|en) la mañana|esta mañana|de la madrugada',
  afternoon: '(?:de|por|en) la tarde|esta tarde',
  evening: '(?:de|por|en) la noche|esta noche',
  days: [
    { word: 'pasado mañana', days: 2 },
    { word: 'mañana', days: 1 },
    { word: 'hoy', days: 0 },
  ],
  weekdays: ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado'],
  weekdayForms: ['(?:el |este |el próximo |próximo )?{weekday}'],
  months:
    'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre'.split(
      ' ',
    ),
  dateForms: [
    '(?:el )?(?:día )?{d} de {month}(?: del? {year})?',
    '(?:el )?{d}/(?<month>1[0-2]|0?[1-9])(?:/{year})?',
  ],
  recurrences: {
    everyDay: 'cada día|todos los días|diariamente',
    workdays:
      '(?:cada|todos los|los|en) (?:día|días) (?:laborables?|de trabajo|hábil(?:es)?)|de lunes a viernes|entre semana',
    weekends: '(?:cada|todos los|los) (?:fin|fines) de semana',
    everyMorning: 'cada mañana|todas las mañanas',
    everyEvening: 'cada (?:tarde|noche)|todas las (?:tardes|noches)',
    everyWeekday: ['(?:cada|todos los|los) {weekdays}'],
    interval: ['cada {n} {unit}', 'cada {unit}'],
  },
  before:
    'por favor|¿?(?:puedes|podrías)|recuérdame|recuerdame|(?:pon|crea|añade|inicia|programa)(?:me)?(?: (?:un|una|el|la|otro|mi))*|despiértame|(?:temporizador|alarma|recordatorio|cronómetro)(?: (?:de|para|llamado))?|que|de|para|a|en|el|y|llamado',
  after: '(?:temporizador|alarma|recordatorio)|por favor|para|de|a|en|el|y|llamado',
  commands: {
    cancel:
      '(?:por favor )?(?:cancela|borra|elimina|quita|para|detén|olvida)(?: (?:el|la|los|las|mi))?',
    all: '(?:todo|todos|todas)(?: (?:los|las|mis))?(?: (?:temporizadores|alarmas|recordatorios))?',
    list: '¿?(?:qué|cuánto|cuánta|cuáles|lista|muestra|enumera|hay|tengo)',
    change: '(?:por favor )?(?:cambia|mueve|aplaza|pospón)(?: (?:el|la|mi))?',
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
