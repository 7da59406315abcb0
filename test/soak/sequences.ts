import { type Role, roleOf } from './flow.ts'
import type { Sent } from './flow-event.ts'
import { beginSequence, extend, problemOfEnd, type Sequence } from './utterance.ts'

/** Puts together what nodes send. */
export interface Sequences {
  /** @returns what is wrong with it, and whether it is the end of an answer or an answer of its own. */
  add(sent: Sent): { problem?: string; isEnd: boolean }
  /** @returns how many sequences that were made of a message have no end; they are forgotten. */
  leave(node: string, message: string): number
}

export function createSequences(): Sequences {
  const open = new Map<string, Sequence>()
  const problemOfRepeat = createMemoryOfSounds()
  return {
    add(sent) {
      const role = roleOf(sent.node)
      const key = `${sent.node} ${sent.parts?.id}`
      const sequence = isSequence(role) ? (open.get(key) ?? beginSequence(sent)) : undefined
      const problem = sequence && extend(sequence, sent)
      const isEnd = endsResponse(role, sent, sequence)
      if (sequence && !isEnd) open.set(key, sequence)
      else open.delete(key)
      if (!isEnd || role === 'each') return { problem, isEnd }
      const problemAtEnd = problemOfEnd(role, sent, sequence) ?? problemOfRepeat(sent)
      return { problem: problem ?? problemAtEnd, isEnd }
    },
    leave(node, message) {
      const left = [...open].filter(
        ([key, sequence]) => key.startsWith(`${node} `) && sequence.message === message,
      )
      for (const [key] of left) open.delete(key)
      return left.length
    },
  }
}

function isSequence(role: Role): boolean {
  return role === 'chunks' || role === 'sentences' || role === 'each'
}

/** Voices one by one are counted from the first on; all else is closed by the message that came in. */
function endsResponse(role: Role, { parts, ticket }: Sent, sequence?: Sequence): boolean {
  return role === 'each' ? parts?.count === sequence?.next : ticket !== undefined
}

/** What was asked for before sounds as it did. */
function createMemoryOfSounds(): (sent: Sent) => string | undefined {
  const knownBytes = new Map<string, number>()
  return ({ audio, asked }) => {
    // The sentences of an answer are not what was asked for.
    if (!audio || asked?.pace === undefined) return undefined
    const { encoding, sampleRateHertz, voiceId, modelId, bytes } = audio
    const key = [asked.text, asked.pace, voiceId, modelId, encoding, sampleRateHertz].join()
    const before = knownBytes.get(key)
    knownBytes.set(key, bytes)
    if (before === undefined || before === bytes) return undefined
    return `${bytes} bytes of ${encoding}, and ${before} for the same text before`
  }
}
