import type { Heard } from '../../speakers/display.ts'
import { type TextsOf, write } from '../page-texts.ts'

const shownMs = 60_000

/** Shows what somebody has said to an announcement or in a conversation, and what follows from it, for a minute. */
export function createHeardView(texts: TextsOf<'speaker'>, onResize: () => void) {
  const results = {
    stop: texts.stopped,
    acknowledge: texts.acknowledged,
    later: texts.postponed,
    again: texts.saidAgain,
  }
  let timer: number | undefined
  const show = (words: string, result: string) => {
    write('heard-words', words)
    write('heard-result', result)
    onResize()
  }
  return ({ text, isUnderstood, command, response = '' }: Heard) => {
    clearTimeout(timer)
    timer = window.setTimeout(show, shownMs, '', '')
    const result = command ? results[command] : response
    show(text && `“${text}”`, isUnderstood ? result : texts.notUnderstood)
  }
}
