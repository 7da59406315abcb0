import { numbersByWords } from '../number-words.ts'
import type { ClockForm, ReminderLanguage } from '../reminder-language.ts'
import { french } from './numbers-and-times.ts'

const units = {
  second: 'secondes?',
  minute: 'minutes?|mn|min',
  hour: 'heures?|h',
  day: 'jours?',
  week: 'semaines?',
}
const notUnits = '(?! ?(?:secondes?|minutes?|mn|min|jours?|semaines?))'
const fromNow = "(?:dans |d['’]ici )"
const ofTimer = "minut(?:eur|erie) (?:de |d['’])"
/** How long it is from a time, or how long a timer runs. */
const durationsBehind = (start: string) => [
  `${start}{h} ?(?:heures?|h) ?{m}${notUnits}`,
  `${start}{duration}`,
]
const kinds = '(?:minuteurs?|minuteries?|alarmes?|rappels?|réveils?)'
/** "Éteins le four" is about no reminder. */
const beforeKinds = `(?= (?:(?:tous|toutes|les?|la|mes|mon|ma|s['’]il te plaît) )*(?:l['’])?${kinds})`
const questions = [
  '(?:(?:à|pour|vers) )?quel(?:le)?s?|combien',
  "qu['’](?:est-ce|ai-je|y a-t-il)|que (?:dois-je|ai-je|me reste)",
  'quand(?= (?:est|sont|sonne|sonnent|dois|ai))',
  "y a-t-il|ai-je|(?:j['’]ai|il y a|il me reste|il reste) (?:quoi|combien)",
  "est-ce qu(?:e(?! (?:tu|vous|je peux|on peut) )|['’])",
  `(?:montre|affiche|liste|donne|lis|dis)[rz]?(?:-moi)?(?: (?:tous|toutes|les?|la|mes|mon|ma))* ${kinds}`,
  `(?:(?:mon|ma|le|la) |l['’])${kinds} (?:est|sonne) (?:mise? |réglée? |prévue? )?(?:à|pour) quelle`,
  "j['’]ai(?=.*[?] *$)|c['’]est (?:quand|à quelle)",
  "dis-moi (?:ce qu(?:e|['’])|quel(?:le)?s?|combien|à quelle)",
]
const asking =
  '(?:est-ce que )?(?:peux-tu|tu peux|pourrais-tu|pouvez-vous|vous pouvez|pourriez-vous)'
const askingYou = `${asking}(?=.*(?:${kinds}| tout[ .?!]*$))`
const cancels = [
  '(?:annule|supprime|efface|arrête|oublie|enlève)[rz]?(?:-l(?:es|e|a))?',
  `(?:(?:désactive|coupe|stoppe)[rz]?|étein(?:s|dre|dez))${beforeKinds}`,
]
/** "Ajoute du lait à la liste" is about no reminder. */
const extend = `prolonge|r?ajoute(?=.* (?:${Object.values(units).join('|')}) (?:au|à))`
const later = `déplace|reporte|décale|repousse|retarde|${extend}`
const earlier = "avance|raccourci(?=.* d(?:e |['’]))"
/** "Dix gouttes" is a number of them, but "les gouttes" and "sors le rôti" have a time before them. */
const notCounted = "(?! \\p{L}+s(?: d(?:e(?!\\p{L})|['’])| *$))"
const months =
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ')
const weekdays = ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi']
const anyDay = `(?:demain|aujourd['’]hui|${weekdays.join('|')})`
/** The place behind a day: there, "15 heures" is a time. */
const afterDay = `(?<=${anyDay}(?: (?:matin|midi|après-midi|soir))?,? )`
/** The hours of an alarm, or of a day, and not those of a timer. */
const ofAlarm = `(?:(?<=(?:(?<!\\p{L})(?:réveil|alarme|rappelle)|${anyDay})[^]*)|(?= ${anyDay}))`
/** A day of the month. Not of "le 24 heures" or "le 47". */
const dayOfMonth = '(?=(?:[12]?\\d|3[01])(?!\\d)){d}(?:er)?'
/** What follows a day of the month, which "le 24 bus" does not contain. */
const afterDate =
  "(?= *(?:$|[,.!?\\n])| (?:à|au|vers|dès|avant|pour|de|du|que|midi|minuit)(?!\\p{L})| (?:d|qu)['’])"
/** "le vendredi" is every Friday, but "le vendredi prochain" and "le vendredi 4 décembre" are not. */
const notOnce = `(?!(?: (?:matin|après-midi|soir|nuit))?,? (?:prochain|de la semaine prochaine|(?:le )?\\d{1,2}{mark}(?:er)?(?:/\\d| (?:${months.join('|')})|${afterDate})))`

/** The times around noon and midnight. Only the minutes of a clock are minutes: "à midi deux comprimés". */
function aroundTwelve(name: string, hour: number): ClockForm[] {
  const start = `(?:à |vers )?${name}`
  return [
    { form: `${start} et demie?`, hour, plus: 30 },
    { form: `${start} et quart`, hour, plus: 15 },
    { form: `${start} moins le quart`, hour, plus: -15 },
    { form: `${start} moins {m}`, hour, sign: -1 },
    { form: `{m} minutes? avant ${name}`, hour, sign: -1 },
    { form: `${start} (?=[1-5]?[05](?!\\d)){m}${notUnits}${notCounted}`, hour, sign: 1 },
  ]
}

export const frenchReminders: ReminderLanguage = {
  hasSpaces: true,
  numbers: {
    ...numbersByWords(french.writeNumber, (words) => [
      words.replace('-', ' '),
      words.replace(/ un$/, ' une'),
    ]),
    une: 1,
  },
  ordinals: { premier: 1 },
  amounts: {
    'une demi-': 0.5,
    'une demi': 0.5,
    "un quart d'": 0.25,
    'un quart d’': 0.25,
    "trois quarts d'": 0.75,
    'trois quarts d’': 0.75,
    'une paire de': 2,
  },
  units,
  more: '(?!)',
  halfBefore: '(?!)',
  andHalf: 'et demie?',
  andQuarter: 'et quart',
  and: ',? et|,',
  further: 'et(?: aussi)?|ou|puis',
  furtherPart:
    '(?:(?:le|la|ce|cette|du|au|chaque|tou(?:te)?s les) )?(?:matins?|midis?|après-midis?|soirs?|nuits?)',
  durationForms: durationsBehind(fromNow),
  timerForms: durationsBehind(ofTimer),
  looseDurationForms: ["(?:de|pour|pendant|d['’]) ?{duration}"],
  // "La marche de deux heures à cinq heures" is at five.
  relativeTo: 'avant|après',
  byForms: [
    "(?:de|d['’]) ?{duration}(?: (?:de plus|plus tôt|plus tard))?(?!.* (?:à|au) )",
    '{duration} plus (?:tôt|tard)',
    '{duration}(?= (?:au|à la|à l|à mon|à ma)(?!\\p{L}))',
  ],
  to: 'à',
  clockBefore: '(?:à |vers )?',
  clockAfter: '',
  clockForms: [
    ...aroundTwelve('(?<!après[- ])midi', 12),
    ...aroundTwelve('minuit', 24),
    { form: '(?:à |vers )?{h} ?(?:heures?|h) et demie?', plus: 30 },
    { form: '(?:à |vers ){h} ?(?:heures?|h) et {m} minutes', sign: 1 },
    { form: '(?:à |vers )?{h} ?(?:heures?|h) et quart', plus: 15 },
    { form: '(?:à |vers )?{h} ?(?:heures?|h) moins le quart', plus: -15 },
    { form: '(?:à |vers )?{h} ?(?:heures?|h) moins {m}', sign: -1 },
    { form: '{m} minutes? avant {h} ?(?:heures?|h)', sign: -1 },
    { form: `(?:à |vers )?{h} ?(?:heures|h) ?{m}${notUnits}`, sign: 1 },
    { form: `(?:à |vers ){h} heure {m}${notUnits}`, sign: 1 },
    { form: '(?:à |vers ){h} ?(?:heures?|h)' },
    { form: '{h} ?h' },
    { form: '{h} heures?(?= (?:du|de l))' },
    { form: `(?:pour|de) {h} ?(?:heures?|h)${ofAlarm}` },
    { form: `(?:${afterDay}|(?<=(?:réveil|alarme) )){h} heures?` },
  ],
  noon: '(?:à )?(?<!après[- ])midi',
  newClockForms: [],
  oldClockForms: [{ form: '^{h}(?: ?(?:heures?|h))?$' }],
  midnight: '(?:à )?minuit',
  morning: 'du matin|ce matin|(?<=demain )matin|dans la matinée',
  afternoon: "de l['’]après-midi|cet après-midi|(?<=demain )après-midi",
  evening: 'du soir|au soir|ce soir|(?<=demain )soir|dans la soirée',
  night: '(?:de|dans) la nuit|cette nuit',
  thisDay: 'ce (?:matin|soir)|cet après-midi|cette nuit',
  partsOfDay: { morning: 'matin', afternoon: 'après-midi', evening: 'soir', night: 'nuit' },
  days: [
    { word: 'après-demain', days: 2 },
    { word: 'demain en 8{mark}', days: 8 },
    { word: 'demain', days: 1 },
    { word: "aujourd['’]hui", days: 0 },
  ],
  weekdays,
  weekdayForms: ['(?:ce |le )?{weekday}{part}(?: prochain)?'],
  laterWeekdayForms: [
    { form: '(?:le )?{weekday}{part} de la semaine prochaine', weeks: 1 },
    { form: 'la semaine prochaine,? (?:le )?{weekday}{part}', weeks: 1 },
  ],
  weeksAfterForms: [
    { form: '{weekday}{part} en 8{mark}', weeks: 1 },
    { form: '{weekday}{part} en 15{mark}', weeks: 2 },
    { form: '{weekday}{part} dans {n} semaines?' },
  ],
  weekend: 'ce (?:week-end|weekend)(?: prochain)?|(?:le )?(?:week-end|weekend) prochain',
  months,
  dateForms: [
    '(?:le )?(?:{weekday}{part},? )?(?:le )?{d}(?:er)? {month}(?: {year})?',
    '(?:le )?(?:{weekday}{part},? )?(?:le )?{d}/(?<month>1[0-2]|0?[1-9])(?:/{year})?',
    `(?:(?<!prendre )le |{weekday}{part},? (?:le )?)${dayOfMonth}${afterDate}`,
  ],
  newDateForms: [],
  recurrences: {
    everyDay: 'chaque jour|tous les jours|quotidiennement',
    workdays:
      '(?:chaque|les|tous les) jours? (?:ouvrés?|ouvrables?|de travail|de semaine)|en semaine',
    weekends: '(?:chaque|les|tous les) (?:week-ends?|weekends?)|le week-end(?! prochain)',
    everyPart: {
      morning: 'chaque matin|tous les matins',
      noon: 'chaque midi|tous les midis',
      afternoon: 'chaque après-midi|(?:tous|toutes) les après-midis?',
      evening: 'chaque soir|tous les soirs',
      night: 'chaque nuit|toutes les nuits',
    },
    everyWeekday: [
      'chaque semaine,? le {weekdays}{part}',
      '(?:chaque|tous les|les) {weekdays}{part}',
      `(?<!semaine prochaine,? )le {weekdays}{part}${notOnce}`,
    ],
    everyRange: ['(?:du |tous les jours du )?{range}{part}'],
    through: 'au|à',
    again: '(?:chaque|tous les|les|le) ',
    exceptWeekdays: '(?:sauf|excepté|hormis)(?: le| les)? {weekdays}',
    exceptWeekends: '(?:sauf|excepté|hormis)(?: le| les)? (?:week-ends?|weekends?)',
    irregular: [
      '(?:{weekday}|jour|semaine|week-end|weekend|mois|matin|soir) sur {n}',
      '(?:chaque|tous les|toutes les) (?:{n} )?(?:mois|ans?|années?)',
      // Which day that is depends on the month.
      "(?:le )?(?:{d}(?:er)?|deuxième|troisième|quatrième|dernier) {weekday}(?= (?:de|du) | d['’])",
    ],
    interval: [
      'toutes les {n} {unit}',
      'chaque {unit}',
      'tous les {n} {unit}',
      'toutes les {unit}',
    ],
  },
  before: `s['’]il te plaît|s['’]il vous plaît|(?:peux-tu|pouvez-vous|tu peux)|rappelle[rz]?-moi|rappelez-moi|me rappeler|jusqu['’]|(?:mets|lance|crée|ajoute|démarre|règle|programme)(?:-moi)?(?: (?:un|une|le|la|mon|ma|autre))*|réveille-moi|(?:minuteur|minuterie|alarme|rappel|réveil)(?: (?:de|pour|à|appelée?))?|(?:les?|la|au|mon|ma)(?= ${kinds}(?!\\p{L}))|l['’](?=${kinds}(?!\\p{L}))|que|de|d['’]|pour|à|le|les(?= $)|et|appelée?`,
  after: "(?:minuteur|minuterie|alarme|rappel)|s['’]il te plaît|pour|d[eu]|à|au|le|et|appelée?",
  commands: {
    cancel: `(?:s['’]il (?:te|vous) plaît,? )?(?:${askingYou} )?(?:${cancels.join('|')})(?: s['’]il (?:te|vous) plaît)?(?: (?:les|mes) ${kinds}(?=[ .!?]*$)| (?:les?|la|mon|ma|mes|ça|cela)| l['’])?`,
    task: "(?:s['’]il (?:te|vous) plaît,? )?(?:arrête|enlève)[rz]?",
    kinds,
    all: `(?:tout|tous|toutes|chaque|(?:l['’])?ensemble)(?: (?:ça|cela|les|mes|des|de mes))?(?: ${kinds}(?:(?:,|,? et|,? ou) (?:(?:tous|toutes|les|mes|des) )*${kinds})*)?(?: (?:en cours|actifs|actives))?(?: (?:maintenant|tout de suite|immédiatement))?`,
    except: '(?:tout|tous|toutes|chaque).*? (?:sauf|excepté|hormis|à part)',
    question: questions.join('|'),
    list: '(?:liste|montre|affiche|il reste)',
    from: '(?<= d[eu] )(?:(?! d[eu] ).)+?(?= (?:à|au) )',
    change: `(?:${asking} (?:l(?:es|e|a) |l['’])?)?(?:change|modifie|${later}|${earlier})[rsz]?(?:-l(?:es|e|a)| (?:les?|la|mon|ma|mes|ça|cela)| l['’])?`,
    later: `(?:${asking} (?:l(?:es|e|a) |l['’])?)?(?:${later})[rz]?`,
    extend: `(?:${asking} (?:l(?:es|e|a) |l['’])?)?(?:${extend})[rz]?`,
    earlier: `(?:${asking} (?:l(?:es|e|a) |l['’])?)?(?:${earlier}|(?:déplace|reporte|décale)(?=.* plus tôt))[rsz]?`,
  },
  sentences: {
    timer: 'Minuteur',
    reminder: 'Rappel',
    set: '{name} : {time}.',
    due: 'Le minuteur est terminé : {time}.',
    now: 'Il est {time}.',
    half: '{name} : la moitié du temps est passée, il reste {left}.',
    late: '{name}. Ce rappel est en retard, il était prévu : {time}.',
    left: '{name} : il reste {left}.',
    cancelled: 'Annulé : {name}.',
    cancelledAll: 'Tous les minuteurs et rappels sont annulés.',
    none: 'Il n’y a aucun minuteur ni rappel.',
    unknown: 'Aucun minuteur ni rappel ne porte ce nom. Il y a : {list}.',
    which: 'Lequel ? {list}.',
    tomorrow: 'demain',
    everyDay: 'tous les jours',
    every: 'toutes les {time}',
  },
}
