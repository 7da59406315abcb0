import type { ReminderLanguage } from './language.ts'
import { numbersByWords } from './number-words.ts'

const units = {
  second: 'secondes?',
  minute: 'minutes?|mn|min',
  hour: 'heures?',
  day: 'jours?',
  week: 'semaines?',
}
const notUnits = '(?! ?(?:secondes?|minutes?|mn|min|jours?|semaines?))'

export const french: ReminderLanguage = {
  hasSpaces: true,
  numbers: {
    ...numbersByWords('fr', (words) => [words.replace('-', ' '), words.replace(/ un$/, ' une')]),
    une: 1,
  },
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
  halfBefore: '(?!)',
  andHalf: 'et demie?',
  and: ',? et|,',
  durationForms: ['(?:dans|d’ici) {duration}'],
  looseDurationForms: ["(?:de|pour|pendant|d['’]) ?{duration}"],
  clockBefore: '(?:à |vers )?',
  clockAfter: '',
  clockForms: [
    { form: '(?:à |vers )?{h} ?(?:heures?|h) et demie?', plus: 30 },
    { form: '(?:à |vers )?{h} ?(?:heures?|h) et quart', plus: 15 },
    { form: '(?:à |vers )?{h} ?(?:heures?|h) moins le quart', plus: -15 },
    { form: '(?:à |vers )?{h} ?(?:heures?|h) moins {m}', sign: -1 },
    { form: `(?:à |vers )?{h} ?(?:heures|h) ?{m}${notUnits}`, sign: 1 },
    { form: '(?:à |vers ){h} ?(?:heures?|h)' },
    { form: '{h} ?h' },
    { form: '{h} heures?(?= (?:du|de l))' },
  ],
  noon: '(?:à )?midi',
  midnight: '(?:à )?minuit',
  morning: 'du matin|ce matin|(?<=demain )matin|dans la matinée',
  afternoon: "de l['’]après-midi|cet après-midi|(?<=demain )après-midi",
  evening: 'du soir|ce soir|(?<=demain )soir|dans la soirée|de la nuit|cette nuit',
  days: [
    { word: 'après-demain', days: 2 },
    { word: 'demain', days: 1 },
    { word: "aujourd['’]hui", days: 0 },
  ],
  weekdays: ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'],
  weekdayForms: ['(?:ce )?{weekday}(?: prochain)?'],
  months:
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
      ' ',
    ),
  dateForms: [
    '(?:le )?{d}(?:er)? {month}(?: {year})?',
    '(?:le )?{d}/(?<month>1[0-2]|0?[1-9])(?:/{year})?',
  ],
  recurrences: {
    everyDay: 'chaque jour|tous les jours|quotidiennement',
    workdays:
      '(?:chaque|les|tous les) jours? (?:ouvrés?|ouvrables?|de travail|de semaine)|en semaine|du lundi au vendredi',
    weekends: '(?:chaque|les|tous les) (?:week-ends?|weekends?)|le week-end',
    everyMorning: 'chaque matin|tous les matins',
    everyEvening: 'chaque (?:soir|nuit)|tous les soirs',
    everyWeekday: ['(?:chaque|tous les|les) {weekdays}', 'le {weekdays}'],
    interval: [
      'toutes les {n} {unit}',
      'chaque {unit}',
      'tous les {n} {unit}',
      'toutes les {unit}',
    ],
  },
  before:
    "s['’]il te plaît|s['’]il vous plaît|(?:peux-tu|pouvez-vous|tu peux)|rappelle[rz]?-moi|rappelez-moi|me rappeler|(?:mets|lance|crée|ajoute|démarre|règle|programme)(?:-moi)?(?: (?:un|une|le|la|mon|ma|autre))*|réveille-moi|(?:minuteur|minuterie|alarme|rappel|réveil)(?: (?:de|pour|à|appelée?))?|que|de|d['’]|pour|à|le|les(?= $)|et|appelée?",
  after: "(?:minuteur|minuterie|alarme|rappel)|s['’]il te plaît|pour|de|à|le|et|appelée?",
  commands: {
    cancel: '(?:annule|supprime|efface|arrête|oublie|enlève)[rz]?(?: (?:le|la|les|mon|ma))?',
    all: '(?:tout|tous|toutes)(?: (?:les|mes))?(?: (?:minuteurs|minuteries|alarmes|rappels))?',
    list: "(?:quels?|quelles?|combien|liste|montre|affiche|qu['’]est-ce|il reste|y a-t-il)",
    change: '(?:change|modifie|déplace|reporte|décale)[rz]?(?: (?:le|la|mon|ma))?',
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
