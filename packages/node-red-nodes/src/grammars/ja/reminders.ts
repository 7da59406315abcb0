import { numbersByWords } from '../number-words.ts'
import type { ReminderLanguage } from '../reminder-language.ts'
import { japanese } from './numbers-and-times.ts'

const kinds = '(?:タイマー|アラーム|リマインダー|目覚まし)'
const all = '(?:全部|全て|すべて|ぜんぶ)'
const plans = `(?:${kinds}|予定)`

/** What asks for the reminders. "いくつかメールを送る" and "何があるか確認" are what somebody wants to be reminded of. */
const questions = [
  'あと(?:ど[のれ]|いくつ|何(?:分|時間|秒|日))',
  '残り(?:時間|[はが]?(?:ど[のれ]|何|いくつ))',
  'ど[のれ][くぐ]らい残',
  '何があ(?:る(?!か)|りま|るか(?=を?(?:教え|見せ)))',
  `${plans}[はが]?いくつ`,
  'いくつ(?:ある|あります|残ってい?る|残っています)(?!か(?!を?教え|[？?。]|$))',
  `${plans}[はが]?(?:何時|いつ)`,
  '何時に(?!.{0,12}か(?:決|聞|確認|調べ))',
  `(?:${plans}|何か)[はが]?(?:まだ)?(?:ありま(?:す|せん)か|ある(?=(?:の|かな?)?[？?。]?$))`,
  `${plans}は[？?]*$`,
  `${plans}[をは]?(?:見せ|表示|教え|読み上げ)`,
]

export const japaneseReminders: ReminderLanguage = {
  hasSpaces: false,
  numbers: { ...numbersByWords(japanese.writeNumber), 零: 0 },
  amounts: {},
  units: { second: '秒', minute: '分', hour: '時間', day: '日', week: '週間' },
  more: '(?!)',
  halfBefore: '(?!)',
  andHalf: '半',
  andQuarter: '(?!)',
  and: '、|と',
  further: 'と|か|や',
  furtherPart: '[毎今]?(?:朝|昼|夕方|晩|夜)|午[前後]',
  durationForms: ['{duration} ?(?:後に?|経ったら|したら)'],
  timerForms: ['{duration}の(?=タイマー|アラーム)'],
  looseDurationForms: [],
  // "8時10分前" is ten to eight.
  relativeTo: '前',
  byForms: ['(?<![時\\d]){duration}(?:前に?|早く|早めに|後ろに|遅く)'],
  to: '(?!)',
  clockBefore: '',
  clockAfter: '(?:に|の)?',
  clockForms: [
    { form: '{h}時半(?:に|頃に?)?', plus: 30 },
    { form: '{h}時{m}分前(?:に)?', sign: -1 },
    { form: '{h}時{m}分(?:に|頃に?)?', sign: 1 },
    { form: '{h}時(?!間)(?:に|頃に?|丁度に?|ちょうどに?)?' },
  ],
  noon: '正午(?:に)?|お昼に',
  newClockForms: [],
  oldClockForms: [],
  midnight: '真夜中(?:に)?|深夜0時に?',
  morning: '午前中?|朝の?|今朝|(?<=明日の?)朝',
  afternoon: '午後の?|夕方の?',
  evening: '(?!)',
  night: '(?<!毎)(?:[今深]?夜の?|今?晩の?)|夜中の?',
  thisDay: '今朝|[今深]夜|今晩',
  days: [
    { word: '(?:明後日|あさって)の?(?:に)?', days: 2 },
    { word: '(?:明日|あした|あす)の?(?:に)?', days: 1 },
    { word: '(?:今日|きょう|本日)の?(?:に)?', days: 0 },
  ],
  weekdays: ['日曜日?', '月曜日?', '火曜日?', '水曜日?', '木曜日?', '金曜日?', '土曜日?'],
  weekdayForms: ['(?:今度の|次の)?{weekday}(?:の|に)?'],
  laterWeekdayForms: [
    { form: '再来週の?{weekday}(?:の|に)?', weeks: 2 },
    { form: '来週の?{weekday}(?:の|に)?', weeks: 1 },
  ],
  weeksAfterForms: [],
  weekend: '今?週末(?:の|に)?(?:は)?',
  months: [],
  dateForms: [
    '(?:{year}年)?{month}月{d}日(?:{weekday})?(?:の|に)?',
    // This form does not match "3日後", "1日延期" or "1日に2回".
    `(?<![月\\d]){d}日(?:{weekday}(?:の|に)?|[のに](?!${kinds}|\\d{1,2}{mark}回)|(?=\\d{1,2}{mark}[時:]|午[前後]|[朝夜]|正午))`,
  ],
  newDateForms: [],
  recurrences: {
    everyDay: '毎日の?',
    workdays: '(?:毎)?平日の?(?:は)?',
    weekends: '毎週末の?(?:は)?',
    everyPart: { morning: '毎朝の?', night: '毎(?:晩|夜)の?' },
    everyWeekday: ['毎週の?{weekdays}の?'],
    everyRange: ['(?:毎週の?)?{range}(?:まで)?の?(?:毎日の?)?'],
    through: 'から',
    again: '毎週の?',
    exceptWeekdays: '{weekdays}(?:以外|を除[いくき])(?:の|は|て)?',
    exceptWeekends: '週末(?:以外|を除[いくき])(?:の|は|て)?',
    irregular: [
      '毎日朝[晩夕]|毎朝毎[晩夜]',
      // "毎週月水金".
      '毎週の?[月火水木金土日](?!曜)',
      '隔[週日月年]の?(?:{weekday})?',
      '毎[月年]の?(?=\\d|[初末、]|$)',
      '{n}(?:か月|ヶ月|カ月|年)(?:ごとに?|おきに?|毎に?)',
    ],
    interval: ['{n} ?{unit}(?:ごとに?|おきに?|毎に?)', '毎(?<unit>時間|分)'],
  },
  before: '[そこあ]れ(?=$)|(?:タイマー|アラーム|リマインダー)(?:を|の|は)?|の|を|に|は|で|、',
  after:
    '(?:タイマー|アラーム|リマインダー)|(?:と|って|を)?(?:思い出させて|教えて|知らせて|リマインドして|リマインド|セットして|設定して|かけて|起こして|お願い)(?:ください|下さい|します)?|ください|から|の|を|に|は|と|で|、',
  commands: {
    cancel: `(?:キャンセル|取り消し|取消|止め|削除|消し|(?<=${kinds}[をは]?${all}?)(?:解除|オフに))(?!し?ない|しません)(?:して|て)?(?:ください|下さい|もらえますか|もらえる|くれますか|くれる|ほしい|欲しい)?`,
    task: '止め|消し',
    kinds,
    all: `^(?=.*${all})(?:${all}|${kinds}|今すぐ|もう|お願い|します|ください|[とやもをのは、。？?！! ])+$|${all}`,
    except: '以外|除い|除き',
    question: questions.join('|'),
    list: '残り|一覧|リスト',
    from: `(?<=^|[をはが、])[^をはが、]+(?=から)|^[^をはが、]+(?=の${kinds}[をは].*に)`,
    change:
      '(?:変更|変え|延期|ずらし|遅らせ|早め(?=て)|前倒し(?=して)|延長(?=し)|延ばし|(?<=[秒分間日]を?)(?:伸ばし|追加(?=し)))(?:して|て)?(?:ください|下さい)?',
    later: '延期|ずらし|遅らせ|延長|[延伸]ばし|追加',
    extend: '延長|[延伸]ばし|追加',
    earlier: '(?:前に|早く|早めに)ずらし|早めて|前倒し',
    never: '思い出させ|教えて|知らせて|リマインドして',
  },
  sentences: {
    timer: 'タイマー',
    reminder: 'リマインダー',
    set: '{name}：{time}。',
    due: 'タイマーが終了しました：{time}。',
    now: '{time}です。',
    half: '{name}：半分経過しました。残り{left}です。',
    late: '{name}。このリマインダーは遅れています。予定は{time}でした。',
    left: '{name}：残り{left}です。',
    cancelled: '取り消しました：{name}。',
    cancelledAll: 'すべてのタイマーとリマインダーを取り消しました。',
    none: 'タイマーもリマインダーもありません。',
    unknown: 'その名前のタイマーやリマインダーはありません。あるのは{list}です。',
    which: 'どれですか？{list}。',
    tomorrow: '明日',
    everyDay: '毎日',
    every: '{time}ごと',
  },
}
