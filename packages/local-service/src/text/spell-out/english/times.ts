import { type Rule, setOf, textAfter, textBefore, type WordPlace } from '../word.ts'
import { inWords } from './number-words.ts'

/** Times of the day: "7:30 am", "19:00", "00:30", "7.30pm", "9am-5pm". Also scores and ratios: "3:2". */
export const timeRule: Rule = (text, place) => {
  const { words, index } = place
  if (halfOfDay.test(text)) return /\d$/.test(textBefore(place)) ? spellHalf(text) : undefined
  const duration = spellDuration(text, place)
  if (duration !== undefined) return duration
  const isHalfNext = halfOfDay.test(words[index + 1]?.text ?? '') && words[index]!.after === ''
  const time = spellTime(text, isHalfNext)
  if (time) return time
  const [from = '', to = '', more] = text.split(/[-–—]/)
  if (to !== '' && more === undefined) {
    const [start, end] = [spellTime(from), spellTime(to)]
    if (start && end) return `${start} to ${end}`
    // 9-17h and 9-5pm are ranges of numbers with a unit.
    if (end && /^\d{1,2}$/.test(from)) return `${from} to ${end}`
  }
  const [, first, second] = /^(\d{1,4}):(\d{1,4})$/.exec(text) ?? []
  return first && second ? `${first} to ${second}` : undefined
}

const halfOfDay = /^(?:[ap]\.?m)$/i
export const isHalfOfDay = (text: string) => halfOfDay.test(text)
const clock = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,6})?)?([ap]\.?m|h)?$/i
const short = /^(\d{1,2})(?:\.(\d\d))?([ap]\.?m)$/i

/** @returns `undefined` if the text is not a time. */
export function spellTime(text: string, isHalfNext = false): string | undefined {
  const [, hours, minutes = '00', seconds, half = ''] =
    clock.exec(text) ?? insertNothing(short.exec(text)) ?? []
  if (!hours || Number(hours) > 24 || Number(minutes) > 59 || Number(seconds ?? 0) > 59)
    return undefined
  const isHalf = isHalfNext || /m$/i.test(half)
  const spoken = spellHours(Number(hours), Number(minutes), isHalf)
  const withSeconds = seconds ? `${spoken} and ${inWords(Number(seconds))} seconds` : spoken
  return /m$/i.test(half) ? `${withSeconds} ${spellHalf(half)}` : withSeconds
}

function spellHalf(half: string): string {
  return `${half[0]!.toUpperCase()} M`
}

const beforeTimes = setOf('at by until till from to before after since around about')

/** "1:30 h" is a duration, unless it is a time: "at 13:30 h". */
function spellDuration(text: string, place: WordPlace): string | undefined {
  const { words, index } = place
  const isHours = (at: number) => /^(?:h|hrs?|hours?)$/.test(words[at]?.text ?? '')
  if (isHours(index)) {
    const isAfterTime = readDuration(textBefore(place)) !== undefined
    return isAfterTime ? '' : undefined
  }
  const parts = textAfter(place) !== '' && isHours(index + 1) ? readDuration(text) : undefined
  if (!parts) return undefined
  const [hours, minutes] = parts
  if (beforeTimes.has(words[index - 1]?.text.toLowerCase() ?? '')) return spellTime(text)
  const spokenHours = `${hours} hour${hours === 1 ? '' : 's'}`
  return minutes === 0 ? spokenHours : `${spokenHours} ${minutes} minute${minutes === 1 ? '' : 's'}`
}

function readDuration(text: string): [number, number] | undefined {
  const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)$/.exec(text) ?? []
  return hours && minutes ? [Number(hours), Number(minutes)] : undefined
}

/** Gives the shorter expression the groups of the longer one. */
function insertNothing(found: RegExpExecArray | null) {
  return found && [found[0], found[1], found[2], undefined, found[3]]
}

function spellHours(hours: number, minutes: number, isHalf: boolean): string {
  if (minutes > 0) return `${inWords(hours)} ${minutes < 10 ? 'oh ' : ''}${inWords(minutes)}`
  if (isHalf) return inWords(hours)
  if (hours % 24 === 0) return 'midnight'
  return hours <= 12 ? `${inWords(hours)} o'clock` : `${inWords(hours)} hundred`
}
