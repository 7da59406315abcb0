/** A sentence that somebody may say. */
export interface CommandSentence {
  /** The sentence with the words of its slots, such as `turn on the kitchen light`. */
  sentence: string
  /** The name before the colon, or else the line, such as `turn on the {room} light`. */
  name: string
  /** The words of each slot, such as `{ room: 'kitchen' }`. */
  slots: Record<string, string>
}

export type SentencesProblem =
  | { problem: 'none' }
  | { problem: 'no-list' | 'empty-list' | 'twice'; slot: string }
  | { problem: 'no-sentence' | 'brace' | 'too-long'; line: string }
  | { problem: 'too-many'; count: number; max: number }

export type ExpandedSentences =
  | { sentences: readonly CommandSentence[]; problem?: never }
  | { sentences?: never; problem: SentencesProblem }

/** Limits of the services: see `sentences` in the wire format. */
const maxSentences = 5000
const maxCharacters = 200

const maxSlots = 10

/** `{room} = kitchen, living room`; the full-width characters are those of Japanese and Chinese keyboards. */
const listPattern = /^\s*[{｛]([^{}｛｝]+)[}｝]\s*[=＝](.*)$/
/** `light on: turn on the light`. */
const namePattern = /^([^:：{｛]+)[:：](?:\s|(?<=：))(.*)$/
const slotPattern = /[{｛]([^{}｛｝]*)[}｝]/g

interface Pattern {
  line: string
  name: string
  text: string
  slots: string[]
}

/**
 * Reads the sentences of a form, one per line, and fills their slots from the lists.
 * A line such as `{room} = kitchen, living room` is a list; its words replace `{room}` in the sentences. A sentence may have
 * a name: `light on: turn on the {room} light`.
 * @returns the sentences, without duplicates, or the first problem.
 */
export function expandSentences(text: string): ExpandedSentences {
  const lines = text.split('\n').map(tidy).filter(Boolean)
  const lists = readLists(lines)
  const patterns = lines.filter((line) => !listPattern.test(line)).map(readPattern)
  const problem = findProblem(patterns, lists)
  if (problem) return { problem }

  const sentences = new Map<string, CommandSentence>()
  for (const pattern of patterns) {
    for (const slots of fillings(pattern.slots, lists)) {
      const sentence = tidy(pattern.text.replace(slotPattern, (_, slot) => slots[tidy(slot)]!))
      if (sentence.length > maxCharacters) return { problem: tooLong(sentence) }
      if (!sentences.has(sentence)) sentences.set(sentence, { sentence, name: pattern.name, slots })
    }
  }
  return { sentences: [...sentences.values()] }
}

type Lists = ReadonlyMap<string, ReadonlySet<string>>

/** The words of each list. A second list of the same name adds its words to the first one. */
function readLists(lines: readonly string[]): Lists {
  const lists = new Map<string, Set<string>>()
  for (const line of lines) {
    const [, name, words] = listPattern.exec(line) ?? []
    if (name === undefined || words === undefined) continue
    const slot = tidy(name)
    const list = lists.get(slot) ?? new Set()
    lists.set(slot, list)
    for (const word of words.split(/[,，、]/).map(tidy)) if (word) list.add(word)
  }
  return lists
}

function readPattern(line: string): Pattern {
  const [, name, named] = namePattern.exec(line) ?? []
  const text = tidy(named ?? line)
  const slots = [...text.matchAll(slotPattern)].map(([, slot]) => tidy(slot!))
  return { line, name: tidy(name ?? text), text, slots }
}

function findProblem(patterns: readonly Pattern[], lists: Lists): SentencesProblem | undefined {
  let count = 0
  for (const { line, text, slots } of patterns) {
    // A line of only a name ends with its colon.
    if (text === '' || /[:：]$/.test(text)) return { problem: 'no-sentence', line: shortened(line) }
    if (/[{}｛｝]/.test(text.replace(slotPattern, ''))) {
      return { problem: 'brace', line: shortened(line) }
    }
    if (text.length > maxCharacters || slots.length > maxSlots) return tooLong(line)
    for (const [index, slot] of slots.entries()) {
      const words = lists.get(slot)
      if (!words) return { problem: 'no-list', slot }
      if (words.size === 0) return { problem: 'empty-list', slot }
      if (slots.indexOf(slot) < index) return { problem: 'twice', slot }
    }
    count += slots.reduce((product, slot) => product * lists.get(slot)!.size, 1)
  }
  if (count === 0) return { problem: 'none' }
  // Before the sentences are made: a few long lists would make millions.
  if (count > maxSentences) return { problem: 'too-many', count, max: maxSentences }
  return undefined
}

/** Every combination of the words of these slots. */
function fillings(slots: readonly string[], lists: Lists): Record<string, string>[] {
  return slots.reduce<Record<string, string>[]>(
    (combinations, slot) =>
      combinations.flatMap((filled) =>
        Array.from(lists.get(slot)!, (word) => ({ ...filled, [slot]: word })),
      ),
    [{}],
  )
}

function tooLong(line: string): SentencesProblem {
  return { problem: 'too-long', line: shortened(line) }
}

function shortened(line: string): string {
  return line.length > 40 ? `${line.slice(0, 39)}…` : line
}

function tidy(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
