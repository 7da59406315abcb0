import { numbersByWords } from '../number-words.ts'
import type { ReminderLanguage } from '../reminder-language.ts'
import { german } from './numbers-and-times.ts'

const units = {
  second: 'sekunden?|sek',
  minute: 'minuten?|min',
  hour: 'stunden?|std|h',
  day: 'tage?n?',
  week: 'wochen?',
}
const kinds = '(?:timern?|(?:kurzzeit)?weckern?|alarme?n?|erinnerung(?:en)?)'
const infinitives =
  '(?:löschen|abbrechen|stoppen|beenden|entfernen|ausschalten|ausstellen|abstellen|ausmachen)'
const behindKind = `(?: (?:bitte|jetzt|sofort|wieder))* (?:ab|aus|${infinitives})(?:,? bitte)?[ .?!]*$`
const questions = [
  'welche[mnrs]?|was|wann|wofür|wozu|wie (?:lange?|viele?)|wieviele?',
  "gibt(?: es|['’]?s)|habe? ich",
  '(?:um|auf|für|bis|ab) (?:wie ?viel|wann|welche[mnrs]?)',
  '(?:ist|sind|steht|stehen|läuft|laufen|klingelt|klingeln)(?= .*(?:timer|wecker|alarm|erinnerung|etwas|was(?!\\p{L})))',
  `(?:zeig|nenn|liste|lies|sag)e?(?: (?:mir|bitte|mal|alle?|die|den|meine?n?))* ${kinds}`,
  '(?:zeig|sag)e? mir,? (?:was|welche[mnrs]?|wie (?:lange?|viele?)|wieviele?)',
]
const cancels = [
  '(?:lösch|stopp|streich|beend|entfern|vergiss|brich|storniere?)e?(?: ab(?= ))?',
  '(?:lösch|stopp|streich|beend|entfern|brech|stornier)en sie',
  // "Stell den Herd ab" is about no reminder.
  `(?:schalt|stell|mach)e?(?= (?:(?:bitte|mal|jetzt|den|die|das|alle?|meine?n?) )*${kinds}(?:${behindKind}| .* (?:ab|aus)(?:,? bitte)?[ .?!]*$))`,
  // "Alle Timer löschen", and one of them without its article.
  `(?=(?:bitte )?(?:alle? (?:(?:die|meine) )?)?${kinds}${behindKind})|(?:den|die|das|meine?n?)(?= ${kinds}(?:${behindKind}| .*${infinitives}[ .?!]*$))`,
  `(?:kannst|könntest|würdest) du(?= (?:(?:bitte|mal) )*(?:alle?|den|die|das|meine?n?) .*${infinitives}[ .?!]*$)(?=.*(?:${kinds}| alles? (?:bitte )?${infinitives}))`,
]
const later = '(?:verschieb|verleg|verlänger)'
const laterInfinitives = '(?:verschieben|verlegen|verlängern)'
const earlierInfinitives = '(?:verkürzen|vorziehen|vorverlegen)'
const changeInfinitives = `(?:${laterInfinitives}|${earlierInfinitives}|ändern|umstellen)`
const amount = `(?:\\S+ ){1,3}(?:${Object.values(units).join('|')})`
const articles = '(?:den|die|das|meine?n?)'
/** "Verschieb das Treffen" has a name. */
const pronouns = '(?: (?:es|ihn|sie)| (?:das|dies)(?= (?:um|auf|bis|in|nach) ))'
const changes = [
  `(?:änder|${later}|verkürz|zieh(?=.* vor[.!]?$))(?:e?n sie|e)?`,
  // "Schieb den Kuchen in den Ofen" and "stell den Herd um" are about no reminder.
  `schiebe?(?=.* auf (?!das|dem|die )| .*um ${amount})`,
  `(?:stell|mach)e?(?= (?:bitte )?${articles} ${kinds} .*(?:um|früher|später)[ .!]*$)`,
  `(?:kannst|könntest|würdest) du(?=.* ${changeInfinitives}[ .?!]*$)`,
  `(?=(?:bitte )?${articles} ${kinds} (?:um|auf) .*${changeInfinitives}[ .!]*$)|(?=(?:bitte )?${kinds} um ${amount} ${changeInfinitives}[ .!]*$)`,
]
const parts = '(?:morgen|vormittag|früh|mittag|nachmittag|abend|nacht)'
const weekdays = [
  'sonntag',
  'montag',
  'dienstag',
  'mittwoch',
  'donnerstag',
  'freitag',
  'samstag|sonnabend',
]
/** The place behind a day, also behind one that another form has taken. */
const afterDay = `(?<=(?:\\n|(?<!\\p{L})(?:heute|woche|${parts}|(?:${weekdays.join('|')})${parts}?)) )`
/** The end, or what says more about the time. */
const timeBehind =
  '(?= *(?:$|[,.!?\\n])| (?:morgen|heute|übermorgen|am|an|jeden|früh|abends|bitte|stellen|um)(?!\\p{L}))'
const notUnits = `(?! ?(?:${Object.values(units).join('|')})(?!\\p{L}))`

/** `am ersten`, `der erste`: a day of the month. */
const ordinals = Object.fromEntries(
  Array.from({ length: 31 }, (_, index) => index + 1).flatMap((day) =>
    ordinalsOf(day).flatMap((word) => ['e', 'en', 'er'].map((end) => [`${word}${end}`, day])),
  ),
)

function ordinalsOf(day: number): string[] {
  if (day === 1) return ['erst']
  if (day === 3) return ['dritt']
  if (day === 7) return ['siebt', 'siebent']
  if (day === 8) return ['acht']
  return german.writeNumber(day).map((words) => `${words}${day < 20 ? 't' : 'st'}`)
}

/** No name of a day that counts: "am ersten Schultag". */
const afterDate = '(?= *(?:$|[,.!?\\n])| (?:um|gegen|ab|an|dass|daran|zu|den|die|das)(?!\\p{L}))'

export const germanReminders: ReminderLanguage = {
  hasSpaces: true,
  numbers: {
    ...numbersByWords(german.writeNumber, (words) => [words.replace(/^einhundert/, 'hundert')]),
    ein: 1,
  },
  ordinals,
  amounts: {
    eine: 1,
    einer: 1,
    einem: 1,
    einen: 1,
    'eine halbe': 0.5,
    'einer halben': 0.5,
    'einen halben': 0.5,
    'einem halben': 0.5,
    halbe: 0.5,
    halben: 0.5,
    'eine dreiviertel': 0.75,
    'einer dreiviertel': 0.75,
    'eine drei viertel': 0.75,
    'einer drei viertel': 0.75,
    'drei viertel': 0.75,
    dreiviertel: 0.75,
    'eine viertel': 0.25,
    'einer viertel': 0.25,
    viertel: 0.25,
    anderthalb: 1.5,
    eineinhalb: 1.5,
    einundeinhalb: 1.5,
    zweieinhalb: 2.5,
    dreieinhalb: 3.5,
  },
  units,
  more: 'weitere[nr]?',
  halfBefore: '(?!)',
  andHalf: 'und (?:eine )?halbe',
  andQuarter: '(?!)',
  and: ',? und|,',
  further: 'und(?: dann| auch| noch)?|oder',
  furtherPart: '(?:(?:jeden?|am|in der) )?(?:morgen|vormittag|mittag|nachmittag|abend|nacht)s?',
  durationForms: ['in {duration}'],
  timerForms: ['timer (?:auf|für|von|über) {duration}'],
  looseDurationForms: ['(?:für|auf|um) {duration}', '{duration} lang'],
  relativeTo: '(?:vor|nach)(?! (?:vorne?|hinten))',
  byForms: [
    'um (?:weitere |noch )?{duration}(?! (?:vor|nach) (?!vorn|hinten))(?: (?:nach (?:vorne?|hinten)|früher|später|vor))?',
    '{duration} (?:nach (?:vorne?|hinten)|früher|später)',
  ],
  to: 'auf',
  clockBefore: '(?:um |gegen )?',
  clockAfter: '(?: ?uhr)?',
  clockForms: [
    { form: '(?:um )?viertel nach mitternacht', hour: 24, plus: 15 },
    { form: '(?:um )?viertel vor mitternacht', hour: 24, plus: -15 },
    { form: '(?:um )?{m}(?: minuten)? nach mitternacht', hour: 24, sign: 1 },
    { form: '(?:um )?{m}(?: minuten)? vor mitternacht', hour: 24, sign: -1 },
    { form: '(?:um )?{m}(?: minuten)? vor halb {h}', plus: -30, sign: -1 },
    { form: '(?:um )?{m}(?: minuten)? nach halb {h}', plus: -30, sign: 1 },
    { form: '(?:um )?halb {h}', plus: -30 },
    { form: '(?:um )?viertel nach {h}(?: uhr)?', plus: 15 },
    { form: '(?:um )?viertel {h}', plus: -45 },
    { form: '(?:um )?(?:viertel vor|dreiviertel) {h}(?: uhr)?', plus: -15 },
    { form: '(?:um )?{m}(?: minuten)? nach {h}(?: uhr)?', sign: 1 },
    { form: '(?:um )?{m}(?: minuten)? vor {h}(?: uhr)?', sign: -1 },
    { form: `(?:um |gegen )?{h} ?(?:uhr|h) {m}${notUnits}`, sign: 1 },
    { form: '(?:um |gegen ){h} ?uhr und {m} minuten', sign: 1 },
    { form: '(?:um |gegen )?{h} ?uhr' },
    { form: '(?:um |gegen ){h} ?h' },
    // "2 h" alone is how long a timer runs.
    { form: `(?:${afterDay}|(?=1[3-9]|2[0-3])){h} ?h` },
    { form: '(?:um |gegen ){h}(?= (?:morgens|früh|vormittags|nachmittags|abends|nachts))' },
    { form: `(?:um |gegen ){h}${notUnits}` },
    // "Stell den Wecker auf 7", but not "auf 2 Freunde warten".
    { form: `auf (?<=(?:wecker|alarm|weck[en]? (?:mich|uns))[^]*){h}${timeBehind}` },
  ],
  noon: 'mittags|am mittag|(?<=morgen |heute |übermorgen )mittag',
  newClockForms: [{ form: `(?:auf|bis) {h}${timeBehind}` }],
  oldClockForms: [{ form: '^{h}$' }],
  midnight: '(?:um )?mitternacht',
  morning:
    'morgens|vormittags|in der früh|am (?:morgen|vormittag)|(?<=morgen |heute |übermorgen )(?:früh|vormittag)|(?<=heute )morgen|(?<=\\n ?)früh',
  afternoon: 'nachmittags|am nachmittag|(?<=morgen |heute |übermorgen )nachmittag',
  evening: 'abends|am abend|(?<=morgen |heute |übermorgen )abend',
  night: 'nachts|in der nacht|(?<=morgen |heute |übermorgen )nacht',
  // "Heute" is a day.
  thisDay: '(?!)',
  partsOfDay: {
    morning: 'morgen|vormittag|früh',
    noon: 'mittag',
    afternoon: 'nachmittag',
    evening: 'abend',
    night: 'nacht',
  },
  days: [
    { word: 'übermorgen', days: 2 },
    // "Samstag Morgen" is in the morning.
    { word: '(?<!(?:tag|mittwoch|sonnabend) )morgen', days: 1 },
    { word: 'heute', days: 0 },
  ],
  weekdays,
  weekdayForms: ['(?:am |nächsten |kommenden |diesen |am nächsten |am kommenden )?{weekday}{part}'],
  laterWeekdayForms: [
    { form: '(?:am )?{weekday}{part} übernächster woche', weeks: 2 },
    { form: 'übernächste woche,? (?:am )?{weekday}{part}', weeks: 2 },
    { form: '(?:am )?{weekday}{part} nächster woche', weeks: 1 },
    { form: 'nächste woche,? (?:am )?{weekday}{part}', weeks: 1 },
  ],
  weeksAfterForms: [{ form: '(?:am )?{weekday}{part} in {n} wochen?' }],
  weekend: '(?:am |dieses |nächstes |kommendes |am nächsten |am kommenden )wochenende',
  months:
    'januar|jänner februar märz april mai juni juli august september oktober november dezember'.split(
      ' ',
    ),
  dateForms: [
    '(?:am |den )?(?:{weekday}{part},? (?:de[nm] )?)?{d}\\.? {month}(?: {year})?',
    '(?:(?:am )?{weekday}{part},? (?:de[nm] )?|am |den ){d}\\. ?(?<month>1[0-2]|0?[1-9])\\.(?:{year})?',
    '{d}\\.(?<month>1[0-2]|0?[1-9])\\.{year}',
    `(?:(?:am )?{weekday}{part},? (?:de[nm] )?|am |zum ){d}\\.?${afterDate}`,
  ],
  newDateForms: [],
  recurrences: {
    everyDay: 'jeden tag|täglich|alle tage',
    workdays:
      '(?:jeden|an jedem) (?:werktag|wochentag|arbeitstag)|(?:an )?werktags|wochentags|an (?:werktagen|wochentagen|arbeitstagen)',
    weekends: 'jedes wochenende|an (?:jedem wochenende|wochenenden)',
    everyPart: {
      morning: 'jeden (?:morgen|vormittag)',
      noon: 'jeden mittag',
      afternoon: 'jeden nachmittag',
      evening: 'jeden abend',
      night: 'jede nacht',
    },
    everyWeekday: [
      '(?:jeden|an jedem) {weekdays}{part}',
      '{weekdays}(?<=s){part}',
      'jede woche,? (?:am )?{weekdays}{part}',
    ],
    everyRange: ['(?:von |jeden |jeweils )?{range}{part}'],
    through: 'bis',
    again: '(?:jeden|an jedem|am) ',
    exceptWeekdays: '(?:außer|ausgenommen|bis auf)(?: am| an)? {weekdays}',
    exceptWeekends: '(?:außer|ausgenommen)(?: am| an)? wochenenden?',
    irregular: [
      // Which day that is depends on the year, or on the month.
      '(?:am|zum) {d}\\.? advent(?:ssonntag)?',
      '(?:am|den) (?:{d}\\.?|letzten) {weekday} (?:im|in|des|vom)',
      '(?:jede[nrsm]?|alle) {d}\\.? (?:{weekday}|wochenenden?|monate?|jahre?|woche|tag|morgen|abend)',
      '(?:jede[nrsm]?|alle) (?:{n}\\.? )?(?:monate?|monats|jahre?|jahres)',
    ],
    interval: ['alle {n} {unit}', 'jede[nrs]? {n} {unit}', 'jede[nrs]? {unit}'],
  },
  before: `bitte|vergiss(?: bitte)? nicht|(?:kannst|könntest|würdest) du|erinner[en]? mich(?: bitte)?(?: daran| an)?|(?:stell|setz|mach|start|erstell|leg)e?n?(?: mir| bitte)?(?: (?:einen?|den|die|das|noch einen?|neuen?|meinen?))*|weck[en]? mich|(?:timer|wecker|alarm|erinnerung|kurzzeitwecker)(?: auf| für| namens| an| von)?|${articles}(?= ${kinds}(?!\\p{L}))|für|an|auf|um|am|in|bis|namens|und|dass|daran`,
  after:
    '(?:timer|wecker|alarm|erinnerung)|bis|stellen|setzen|erinnern|wecken|vo[nm]|an|bitte|für|auf(?: den)?|um|am|in|und|namens',
  commands: {
    cancel: `(?:bitte )?(?:${cancels.join('|')})(?!.* nicht(?!\\p{L}))(?: (?:bitte|mal|doch|jetzt|sofort))*(?: (?:den|die|das|meine?n?)(?: ${kinds}(?=(?: ab| aus)?[ .!?]*$)|(?= ${kinds}))| (?:das|es|ihn|sie)(?=(?: ab| aus)?[ .!?]*$))?`,
    task: '(?:bitte )?(?:stopp|beend|entfern|streich)(?:e|en sie)?',
    kinds,
    cancelEnd: `(?:ab|aus|${infinitives})(?:,? bitte)?`,
    all: `(?:bitte )?(?:alles|alle?|sämtliche|jede[nrs]?)(?: (?:die|diese|meine|gestellten|laufenden|aktiven|einzelnen?))*(?: ${kinds}(?:(?:,|,? und|,? oder) (?:(?:alle?|die|meine) )*${kinds})*)?(?: (?:jetzt|sofort))?`,
    except: '(?:alles|alle?|sämtliche|jede[nrs]?).*? (?:außer|bis auf|ausgenommen)',
    question: questions.join('|'),
    list: '(?:zeig|nenn|liste)e?',
    from: [
      '(?<= vo[nm] )(?:(?! vo[nm] ).)+?(?= (?:auf|zum?|nach) )',
      `(?<= um )(?!${amount})(?:(?! um ).)+?(?= auf )`,
    ].join('|'),
    change: `(?:bitte )?(?:${changes.join('|')})(?: (?:bitte|mal))*${pronouns}?`,
    changeEnd: `(?:um|vor|${changeInfinitives})`,
    later: `(?:bitte )?(?:${later}|schieb)\\p{L}*|.* (?:${laterInfinitives}|später)[ .?!]*$`,
    extend: '(?:bitte )?verlänger\\p{L}*|.* verlängern[ .?!]*$',
    earlier: `(?:bitte )?(?:verkürz|zieh|(?:${later}|schieb|stell|mach)(?=.* (?:nach vorn|früher|vor[ .!]*$)))\\p{L}*|.* (?:${earlierInfinitives}|(?:nach vorne?|früher|vor) ${laterInfinitives})[ .?!]*$`,
  },
  sentences: {
    timer: 'Timer',
    reminder: 'Erinnerung',
    set: '{name}: {time}.',
    due: 'Der Timer ist abgelaufen: {time}.',
    now: 'Es ist {time}.',
    half: '{name}: Die Hälfte der Zeit ist um, noch {left}.',
    late: '{name}. Diese Erinnerung kommt zu spät, sie war fällig: {time}.',
    left: '{name}: noch {left}.',
    cancelled: 'Gelöscht: {name}.',
    cancelledAll: 'Alle Timer und Erinnerungen sind gelöscht.',
    none: 'Es ist kein Timer und keine Erinnerung gestellt.',
    unknown: 'Es gibt keinen Timer und keine Erinnerung mit diesem Namen. Es gibt: {list}.',
    which: 'Welche? {list}.',
    tomorrow: 'morgen',
    everyDay: 'jeden Tag',
    every: 'alle {time}',
  },
}
