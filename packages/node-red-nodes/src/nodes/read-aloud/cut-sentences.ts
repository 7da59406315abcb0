import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSentenceCutter, hasSpeakable } from '@parlando/core/text'

/** A longer sentence is cut where a speaker may pause: nobody wants to hear more than that again after an interruption. */
const maxSentenceCharacters = 300
/** Cut in one turn of the event loop, which takes a few milliseconds. */
const stepCharacters = 4_000

/**
 * Cuts a text into its sentences.
 * @param signal ends the work. @throws its reason.
 */
export async function cutSentences(text: string, signal: AbortSignal): Promise<string[]> {
  const cutter = createSentenceCutter({ maxSentenceCharacters })
  const sentences: string[] = []
  const add = (cut: readonly string[]) => {
    for (const sentence of cut) if (hasSpeakable(sentence)) sentences.push(sentence)
  }
  for (let start = 0; start < text.length; start += stepCharacters) {
    add(cutter.push(text.slice(start, start + stepCharacters)))
    await nextTurn()
    signal.throwIfAborted()
  }
  add(cutter.end())
  return sentences
}
