import { numbersByWords } from '../number-words.ts'
import type { ReminderLanguage } from '../reminder-language.ts'
import { chinese } from './numbers-and-times.ts'

/** "零五", the minutes of "八点零五". */
const behindZero = (words: string) =>
  /^.十?.?$/.test(words) && words !== '零' ? [`零${words}`] : []

const kinds = '(?:定时器|计时器|闹钟|提醒(?!我))'
const plans = `(?:${kinds}|安排|日程|事)`
const days =
  '[今明后]天还?|[早晚]上|[今明后]晚|[上下中]午|[周期拜][一二三四五六日天]|\\d[号日点]|我'

/** What asks for the reminders. "看看冰箱里有什么" is what somebody wants to be reminded of. */
const questions = [
  '还(?:有|剩下?|要|需要)(?:多[久少长]|几(?:秒|分|个?小时|天))',
  `设(?:置|定)?了(?:什么|哪些|几个|多少个?)${kinds}`,
  `(?<=^|${days})有(?:什么|哪些)`,
  `有(?:什么|哪些|几个|多少个?)(?:要|需要)?${plans}`,
  `有没有(?:什么|要|需要|设置?)?${plans}`,
  `有${plans}[吗么]`,
  `${kinds}(?:[是在会要设定置的]*)(?:几点|什么时候)`,
  `几点(?:叫|起床|响|的?${kinds})`,
]

/** Stands before the number of a day. A further day is its number alone: "周一三五". */
const week = '(?:星期|礼拜|周)'
const amount =
  '[\\d零一二两三四五六七八九十百半]+(?:秒钟?|分钟?|个?半?小时|个?半?钟头|天|周|个?星期|个?礼拜)'
/** What follows it is a time: "八点把空调调到二十六度" is what somebody wants to be reminded of. */
const beforeTime = '(?=.*(?:[点号日]|分钟|小时|[今明后]天|周|星期|礼拜|[上下中]午))'

export const chineseReminders: ReminderLanguage = {
  hasSpaces: false,
  numbers: { ...numbersByWords(chinese.writeNumber, behindZero), 〇: 0 },
  amounts: { 半个: 0.5, 半: 0.5, 一刻: 15, 三刻: 45 },
  units: {
    second: '秒钟?',
    // "一刻钟" is a quarter of an hour.
    minute: '分钟?|钟',
    hour: '个?(?:小时|钟头)',
    day: '天',
    week: '个?(?:星期|礼拜)|周',
  },
  more: '(?!)',
  halfBefore: '个半',
  andHalf: '半',
  andQuarter: '(?!)',
  and: '零|又|，|和|、',
  further: '和|与|或者?|还有',
  furtherPart: '(?:每天)?(?:早上|早晨|上午|中午|下午|傍晚|晚上|夜里)',
  durationForms: ['(?:过|在)?{duration} ?(?:之?后|以后)'],
  timerForms: ['{duration}的(?=定时器|计时器|闹钟)', '(?:定时|倒计时) ?{duration}'],
  looseDurationForms: [],
  relativeTo: '之?前',
  byForms: [],
  to: '(?!)',
  clockBefore: '在?',
  clockAfter: '',
  clockForms: [
    { form: '(?:在)?{h}[点时]半', plus: 30 },
    { form: '(?:在)?{h}[点时]1{mark}刻', plus: 15 },
    { form: '(?:在)?{h}[点时]3{mark}刻', plus: 45 },
    { form: '(?:在)?差{m}分{h}[点时]', sign: -1 },
    { form: '(?:在)?{h}[点时]差{m}分', sign: -1 },
    { form: '(?:在)?差1{mark}刻{h}[点时]', plus: -15 },
    { form: '(?:在)?{h}[点时]差1{mark}刻', plus: -15 },
    { form: '(?:在)?{h}[点时]{m}分?(?!钟)', sign: 1 },
    { form: '(?:在)?{h}(?:点[钟整]?|时(?!间))' },
  ],
  noon: '(?:在)?(?:中午|正午)',
  newClockForms: [],
  oldClockForms: [],
  midnight: '(?:在)?(?:午夜)',
  morning: '早上|上午|早晨|凌晨|清晨|(?<=明|后|今)早',
  afternoon: '下午|傍晚',
  evening: '(?!)',
  night: '晚上|夜里|今晚|(?<=明|后)晚',
  thisDay: '今[早晚]',
  days: [
    { word: '大后天', days: 3 },
    { word: '后天', days: 2 },
    { word: '明天|明(?=\\n)', days: 1 },
    { word: '今天', days: 0 },
  ],
  weekdays: [
    `${week}[日天]|(?<=${week}[一二三四五]{0,5}六)日`,
    ...[...'一二三四五六'].map((day) => `${week}${day}|(?<=${week}[一二三四五]{1,5})${day}(?!个)`),
  ],
  weekdayForms: ['(?:这个?|本)?{weekday}'],
  laterWeekdayForms: [
    { form: '下下个?{weekday}', weeks: 2 },
    { form: '下个?{weekday}', weeks: 1 },
  ],
  weeksAfterForms: [],
  weekend: '(?:这个?|本)?周末',
  months: [],
  dateForms: [
    '(?:{year}年)?{month}月{d}[日号](?:{weekday})?',
    // This form does not match "二号线", "三号楼" or "三日内".
    '(?<![月\\d给找第坐乘去住是]){d}[日号](?![线楼门院桌房病厅店位选柜机车台桶后内前游])(?:{weekday})?',
  ],
  newDateForms: [],
  recurrences: {
    everyDay: '每天|每日|天天',
    workdays: '(?:每个?|在)?工作日',
    weekends: '(?:每个?)周末',
    everyPart: {
      morning: '每天(?:早上|早晨|上午)|每个?早上',
      afternoon: '每个?下午',
      night: '每天晚上|每个?晚上|每晚',
    },
    everyWeekday: ['(?:每个?|逢){weekdays}'],
    everyRange: ['(?:每个?|从)?{range}(?:每天)?'],
    through: '到|至',
    again: '每个?',
    exceptWeekdays: '(?:除了?|不包括){weekdays}(?:以外|之外|外)?',
    exceptWeekends: '(?:除了?|不包括)周末(?:以外|之外|外)?',
    irregular: [
      '每天早晚',
      '隔(?:周|天|日|月|年)',
      '每隔{n} ?(?:天|日|周|个?(?:星期|礼拜))',
      // This form does not match "每月账单".
      '每(?:隔?{n})?个?[月年](?=\\d|[初底末，]|$)',
    ],
    interval: ['每隔?{n} ?{unit}', '每个?(?<unit>小时|分钟)'],
  },
  before: `请(?=帮|把|在|提醒|叫|设|定|$)|把|给(?=${kinds}$)|(?:它们?|[这那]个)(?=$)|(?:能不能|可以)|提醒我|叫我|叫醒我|(?:设置?|定(?!时)|开|创建|新建|加)(?:一个|个)?(?=的|.*(?:定时器|计时器|闹钟)|提醒|$)|(?:设置|创建|新建)(?:一个|个)?(?=.*提醒$)|(?:定时器|计时器|闹钟|提醒)|的|在(?=提醒|叫|$)|去(?=$)|，`,
  after: '(?:定时器|计时器|闹钟)|提醒我|叫我|叫醒我|提醒|吧|的|从|在|，',
  commands: {
    cancel: `(?<!(?:不要|不用|别)(?:帮我)?)请?(?:帮我)?(?:取消|删除|(?:删掉|清[除空])(?=.{0,12}${kinds})|(?<=${kinds}(?:都|全部?)?)关了|停止|关掉|关闭)`,
    task: '停止|关掉|关闭',
    kinds,
    all: `^(?=.*(?:所有|全部|[都全]))(?:所有|全部|${kinds}|它们|能不能|可以|以及|还有|[都全的我这些和与跟掉了吧吗把请给，、。？?！! ])+$|(?:所有|全部)的?`,
    except: '除了|以外|之外',
    question: `^(?:(?!提醒我|叫我).)*?(?:${questions.join('|')})|^(?:请|帮我|给我)*(?:显示|列出|查看|查询|告诉我).{0,12}${kinds}`,
    list: '还剩|多久|列出',
    // Without the first of these characters, "be at school early" is what somebody wants to be reminded of.
    from: `(?<=从).+?(?=改|推|延|提|调|移)|(?<=^请?把).+?(?=的${kinds}(?:改|推|延|提|调|移))`,
    change: `请?(?:改成|改到|改为|修改|更改|调整?[到至成]${beforeTime}|(?:推迟|延后|延迟|(?<=把.{1,40})提前|提前(?=${amount}吧?[。！]?$))到?|延长(?=${amount})|(?<=${kinds}再?|^给.{1,20})增?加(?=${amount}吧?[。！]?$))`,
    later: '推迟|延后|延迟|延长|加',
    extend: '延长|加',
    earlier: '提前',
    never: '提醒我|叫我',
  },
  sentences: {
    timer: '定时器',
    reminder: '提醒',
    set: '{name}：{time}。',
    due: '定时器到时间了：{time}。',
    now: '现在是{time}。',
    half: '{name}：时间过半，还剩{left}。',
    late: '{name}。这个提醒晚了，原定时间是{time}。',
    left: '{name}：还剩{left}。',
    cancelled: '已取消：{name}。',
    cancelledAll: '所有定时器和提醒都已取消。',
    none: '没有定时器，也没有提醒。',
    unknown: '没有这个名称的定时器或提醒。现有：{list}。',
    which: '哪一个？{list}。',
    tomorrow: '明天',
    everyDay: '每天',
    every: '每{time}',
  },
}
