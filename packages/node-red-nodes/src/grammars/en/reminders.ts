import { numbersByWords, small } from '../number-words.ts'
import type { ClockForm, ReminderLanguage } from '../reminder-language.ts'
import { english } from './numbers-and-times.ts'

/** `a hundred and twenty-five`, and what is between it and `one hundred twenty five`. */
function spellings(words: string): string[] {
  const hyphens = [words, words.replace(/ty (?=\w)/, 'ty-')]
  const joined = hyphens.flatMap((one) => [one, one.replace('hundred ', 'hundred and ')])
  return joined.flatMap((one) => [one, one.replace('one hundred', 'a hundred')])
}

/** The times around noon and midnight. */
function aroundTwelve(name: string, hour: number): ClockForm[] {
  return [
    { form: `(?:at |by )?half past ${name}`, hour, plus: 30 },
    { form: `(?:at |by )?(?:a )?quarter past ${name}`, hour, plus: 15 },
    { form: `(?:at |by )?(?:a )?quarter to ${name}`, hour, plus: -15 },
    { form: `(?:at |by )?{m}(?: minutes?)? (?:past|after) ${name}`, hour, sign: 1 },
    { form: `(?<!from )(?:at |by )?{m}(?: minutes?)? (?:to|before) ${name}`, hour, sign: -1 },
  ]
}

const kinds = '(?:timers?|alarms?|reminders?)'
const allKinds = `(?:(?:my|the|single|active|running|current) )*${kinds}(?:(?:,|,? and|,? or) (?:(?:all|my|the) )*${kinds})*`
const thereAre = "(?:that )?(?:i have(?: set)?|i set|i['’]ve set|are (?:set|active|running))"
/** "Can you turn off the oven in ten minutes" is about no reminder. */
const askingYou = `(?:can|could|would|will) you(?: please)?(?=.* (?:${kinds}|(?:all|all of them|everything)(?:,? please)?[ .?!]*$))`
const someKinds = `(?:(?:all|every|of|my|the|that|this) )*(?:[\\p{L}-]+ )?${kinds}(?: and ${kinds})*`
const cancels = [
  'cancel|delete|remove|clear|stop|turn off|switch off|forget(?! it)',
  // "Kill the weeds" is about no reminder.
  `(?:turn|switch)(?= ${someKinds} off)|(?:kill|end|dismiss|silence)(?= ${someKinds})`,
  `(?=all ${allKinds} off)`,
]
const questions = [
  'what|which|how (?:much|many|long)',
  'do i have|have i (?:got|set|any)|did i set',
  "when(?: (?:is|are|was|does|do|did|will)|['’]s)",
  '(?:at|for|until) (?:what|which)',
  `(?:is|are)(?: (?:there|any|anything)|(?= (?:my|the|an?) .*${kinds}))`,
  `anything|any(?= ${kinds})`,
  `(?:show|list|read|tell|check)(?: (?:me|all|of|my|the|next))* ${kinds}`,
  '(?:show|tell) me (?:what(?! to)|which|how (?:much|many|long))',
]

const ordinalWords =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'

/** Days of the month. */
const ordinals: Record<string, number> = {}
for (let day = 1; day <= 31; day++) {
  for (const word of ordinalsOf(day)) {
    // "A twenty second timer" is as long as that.
    ordinals[word.endsWith('second') ? `the ${word} of` : word] = day
  }
}

function ordinalsOf(day: number): string[] {
  if (day === 20 || day === 30) return [day === 20 ? 'twentieth' : 'thirtieth']
  if (day < 20) return [small(ordinalWords, day)]
  const [tens] = english.writeNumber(day)[0]!.split(' ')
  const spoken = `${tens} ${small(ordinalWords, day % 10)}`
  return [spoken, spoken.replace(' ', '-')]
}

/** The end, or what says more about the time. */
const timeBehind =
  '(?= *(?:$|[,.!?\\n])| (?:tomorrow|today|tonight|on|every|each|this|next|in the|at night|please)(?!\\p{L}))'

/** The names of the months, without what is a verb: "I may first call mum", "remind me to march first". */
const month =
  '(?<!(?<!\\p{L})(?:i|you|we|they|he|she|who) )(?<!(?<!(?:alarm|reminder|timer|it) )to (?=march)){month}'
/** A day of the month, which is not in "no one may". */
const dayOfMonth = '(?<!(?<!\\p{L})(?:no|any|every) ){d}(?:st|nd|rd|th)?'

const units = {
  second: 'seconds?|secs?',
  minute: 'minutes?|mins?',
  hour: 'hours?|hrs?|h',
  day: 'days?',
  week: 'weeks?',
}
const asking = '(?:please )?(?:(?:can|could|would|will) you (?:please )?)?'
/** "Extend the ladder" and "add milk to the list" are about no reminder. */
const extend = [
  `extend(?=.* by |(?: it|.*${kinds}) for )`,
  `add(?=.* (?:${Object.values(units).join('|')}) to (?:the|my|it|this|that) )`,
].join('|')
const later = [
  `move|postpone|reschedule|delay|snooze|${extend}`,
  // "Push the car" is about no reminder.
  'push back(?=.* by )|push(?=.* back (?:by|an?|to|until) )',
  `set(?= (?:the|my) (?:.* )?${kinds} .*(?:later|earlier)\\b)`,
].join('|')
const earlier = 'shorten(?=.* by )|bring forward|bring(?=.* forward)'
/** "Postpone this meeting" has a name. */
const pronouns =
  '(?: it(?: (?:forward|back)(?= (?:to|until) ))?| (?:this|that)(?= (?:to|until|by|for|up|forward|back|an?) ))'

export const englishReminders: ReminderLanguage = {
  hasSpaces: true,
  numbers: numbersByWords(english.writeNumber, spellings),
  ordinals,
  amounts: {
    'three quarters of an': 0.75,
    'half an': 0.5,
    'half a': 0.5,
    'a quarter of an': 0.25,
    a: 1,
    an: 1,
  },
  units,
  more: 'more',
  halfBefore: 'and a half',
  andHalf: 'and a half',
  andQuarter: 'and a quarter',
  and: ',? and|,',
  further: 'and(?: then| also| again)?|or',
  furtherPart: '(?:(?:every|each|in the|at|this) )?(?:morning|noon|afternoon|evening|night)s?',
  durationForms: ['in {duration}', '{duration} from (?:now|today)', '{duration} from(?= tomorrow)'],
  timerForms: [],
  looseDurationForms: ['(?:for|by) {duration}'],
  relativeTo: 'before|after',
  byForms: [
    '(?:up |forward |back )?by (?:another )?{duration}(?: (?:earlier|later))?',
    '(?:up |forward |back ){duration}',
    '{duration}(?= to (?:the|my|it|this|that))',
    '{duration} (?:earlier|later)',
  ],
  to: 'to',
  clockBefore: '(?:at |by )?',
  // "5:30pm" has no blank before its part of the day.
  clockAfter: '(?=(?: ?[ap]\\.?m)?(?![\\p{L}\\p{N}]))',
  clockForms: [
    ...aroundTwelve('(?:noon|midday)', 12),
    ...aroundTwelve('midnight', 24),
    { form: '(?:at |by )?half past {h}', plus: 30 },
    { form: '(?:at |by )half {h}', plus: 30 },
    { form: '(?:at |by )?(?:a )?quarter past {h}', plus: 15 },
    { form: '(?:at |by )?(?:a )?quarter to {h}', plus: -15 },
    { form: "(?:at |by )?{m}(?: minutes?)? past {h}(?: o['’]?clock)?", sign: 1 },
    { form: "(?:at |by )?{m} minutes? after {h}(?: o['’]?clock)?", sign: 1 },
    { form: "(?:at |by )?{m}(?: minutes?)? to {h}(?: o['’]?clock)?", sign: -1 },
    { form: "(?:at |by )?{m} minutes? before {h}(?: o['’]?clock)?", sign: -1 },
    { form: "(?:at |by )?{h} o['’]?clock" },
    {
      form: '(?:at |by ){h}(?: oh)? {m}(?! (?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?))',
      sign: 1,
    },
    { form: '(?:at |by )?{h}(?= ?[ap]\\.?m\\b)' },
    { form: '(?:at |by )?{h}(?= (?:in the|at night|tonight|this))' },
    { form: '(?:at |by ){h}(?![:.]\\d| (?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?))' },
    // "Set an alarm for 7", but not "book a table for 4".
    { form: `(?:for|to) (?<=(?:alarm|wake)[^]*){h}(?: {m})?${timeBehind}`, sign: 1 },
  ],
  noon: '(?:at )?(?:noon|midday)',
  newClockForms: [{ form: `(?:to|until|till) {h}(?: {m})?${timeBehind}`, sign: 1 }],
  oldClockForms: [
    {
      form: '(?<=^(?:my |the )?){h}(?: {m})?(?= *$| (?:timer|alarm|reminder)(?!\\p{L}))',
      sign: 1,
    },
  ],
  midnight: '(?:at )?midnight',
  // Elsewhere, "am" is a word of its own.
  morning: '(?<=\\n ?)a\\.?m\\.?|in the morning|this morning|(?<=tomorrow )morning',
  afternoon: '(?<=\\n ?)p\\.?m\\.?|in the afternoon|this afternoon|(?<=tomorrow )afternoon',
  evening: 'in the evening|this evening|(?<=tomorrow )evening',
  night: 'at night|tonight|(?<=tomorrow )night',
  thisDay: 'tonight|this (?:morning|afternoon|evening)',
  partsOfDay: {
    morning: 'morning',
    afternoon: 'afternoon',
    evening: 'evening',
    night: 'night',
  },
  days: [
    { word: '(?:the )?day after tomorrow', days: 2 },
    { word: "tomorrow(?:['’]s)?", days: 1 },
    { word: "today(?:['’]s)?", days: 0 },
  ],
  weekdays: ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
  weekdayForms: ["(?:on |next |this |on next )?{weekday}(?:['’]s|{part})"],
  laterWeekdayForms: [
    { form: '(?:on )?{weekday}{part},? (?:in )?the week after next', weeks: 2 },
    { form: '(?:in )?the week after next,? (?:on )?{weekday}{part}', weeks: 2 },
    { form: '(?:on )?{weekday}{part},? next week', weeks: 1 },
    { form: 'next week,? (?:on )?{weekday}{part}', weeks: 1 },
  ],
  weeksAfterForms: [
    { form: '(?:on )?{weekday}{part} week' },
    { form: '{n} weeks? (?:from|after) {weekday}{part}' },
    { form: '(?:on )?{weekday}{part} in {n} weeks?' },
  ],
  weekend: '(?:(?:on|at|over) (?:the )?|this |next )weekend',
  months:
    'january february march april may june july august september october november december'.split(
      ' ',
    ),
  dateForms: [
    `(?:on )?(?:{weekday}{part},? )?${month} {d}(?:st|nd|rd|th)?(?:,? {year})?`,
    `(?:on )?(?:{weekday}{part},? )?(?:the )?${dayOfMonth}(?: of)? {month}(?:,? {year})?`,
    '(?<=^|remind me )the {d}(?:st|nd|rd|th)?(?= at(?!\\p{L}))',
    // This form does not match "on the 2nd floor".
    '(?:on |{weekday}{part},? )the {d}(?:st|nd|rd|th)?(?= *(?:$|[,.!?\\n])| (?:at|to|of|about|that|in the)(?!\\p{L}))',
  ],
  newDateForms: ['to {month} {d}(?:st|nd|rd|th)?(?:,? {year})?'],
  recurrences: {
    everyDay: '(?:every|each) day|daily',
    workdays: '(?:every|each|on) (?:weekdays?|working days?|workdays?)|weekdays',
    weekends: '(?:every|each) weekend|(?:on |at )?weekends',
    everyPart: {
      morning: '(?:every|each) morning',
      noon: '(?:every|each) noon',
      afternoon: '(?:every|each) afternoon',
      evening: '(?:every|each) evening',
      night: '(?:every|each) night',
    },
    everyWeekday: [
      '(?:every|each) {weekdays}{part}',
      '(?:on )?{weekdays}(?<=s){part}',
      '(?:every|each) week,? on {weekdays}{part}',
    ],
    everyRange: ['(?:every |each |on |from )?{range}{part}'],
    through: 'to|through|thru|until',
    again: '(?:every|each|on) ',
    exceptWeekdays: '(?:except|but not|apart from)(?: for| on)? {weekdays}',
    exceptWeekends: '(?:except|but not|apart from)(?: for| on| at)?(?: the)? weekends?',
    irregular: [
      '(?:every|each) (?:other|second|last|{d}(?:st|nd|rd|th)?) (?:{weekday}|day|week|weekend|month|year|morning|afternoon|evening|night)',
      '(?:every|each) (?:{n} )?(?:months?|quarters?|years?)',
      // Which day that is depends on the month.
      '(?:on )?the (?:{d}(?:st|nd|rd|th)?|second|last) {weekday} (?:of|in)',
    ],
    interval: ['(?:every|each) {n} {unit}', '(?:every|each) {unit}'],
  },
  before:
    'please|(?:can|could|would) you|remind me(?: to| of| about| that)?|(?:set|start|make|create|add|give me)(?: (?:an?|the|my|another|new))*|wake me(?: up)?|(?:an?|the|my|new)(?= (?:timer|alarm|reminder|new|\\S+ (?:timer|alarm|reminder)))|(?:timer|alarm|reminder)s?(?: for| called| named| to| of)?|for|to|called|named|at|on|in|and|that|until',
  after: '(?:timer|alarm|reminder)s?|please|for|until|till|by|at|on|in|to|from|and|called|named',
  commands: {
    cancel: `(?:please )?(?:${askingYou} )?(?:${cancels.join('|')})(?: (?:it|that|this)(?=[ .!?]*$))?`,
    task: '(?:please )?(?:clear|remove|stop|turn off|switch off)',
    kinds,
    cancelEnd: 'off(?:,? please)?',
    all: `(?:all|everything|every|each)(?: of)?(?: (?:them|it|that|${allKinds}))?(?: ${thereAre})?(?: (?:now|right now|at once))?`,
    except: '(?:all|everything|every|each).*? (?:except|but|apart from|other than|besides)',
    question: questions.join('|'),
    list: '(?:list|show)',
    from: [
      '(?<= from )(?:(?! from ).)+?(?= to )',
      '(?<= at )(?:(?! (?:at|from) ).)+?(?= to )',
      `(?<= (?:my|the) )[^ ]+(?: [^ ]+){0,3}?(?= ${kinds} to )`,
    ].join('|'),
    change: `${asking}(?:change|${later}|${earlier})${pronouns}?`,
    later: `${asking}(?:${later})`,
    extend: `${asking}(?:${extend})`,
    earlier: `${asking}(?:${earlier}|(?:move|reschedule)(?=.* (?:up|earlier)\\b)|set(?=.* earlier\\b))`,
  },
  sentences: {
    timer: 'Timer',
    reminder: 'Reminder',
    set: '{name}: {time}.',
    due: 'The timer has ended: {time}.',
    now: 'It is {time}.',
    half: '{name}: half of the time is over, {left} left.',
    late: '{name}. This reminder is late, it was due {time}.',
    left: '{name}: {left} left.',
    cancelled: 'Cancelled: {name}.',
    cancelledAll: 'All timers and reminders are cancelled.',
    none: 'No timer and no reminder is set.',
    unknown: 'There is no timer or reminder with this name. There are: {list}.',
    which: 'Which one? {list}.',
    tomorrow: 'tomorrow',
    everyDay: 'every day',
    every: 'every {time}',
  },
}
