import { type Role, roleOf } from '../flow/nodes.ts'
import type { Sent } from './flow-event.ts'
import { beginSequence, extend, problemOfEnd, type Sequence } from './sequence.ts'

/** Assembles the messages that nodes send. */
export interface Sequences {
  /** @returns a problem, if there is one, and whether the message ends a response. */
  add(sent: Sent): { problem?: string; isEnd: boolean }
  /** Discards the sequences of a message that have no end. @returns their number. */
  discard(node: string, message: string): number
}

export function createSequences(): Sequences {
  const open = new Map<string, Sequence>()
  const problemOfRepeat = createMemoryOfSounds()
  return {
    add(sent) {
      const role = roleOf(sent.node)
      const key = `${sent.node} ${sent.parts?.id}`
      const sequence = isSequence(role, sent) ? (open.get(key) ?? beginSequence(sent)) : undefined
      const problem = sequence && extend(sequence, sent)
      const isEnd = endsResponse(role, sent, sequence)
      if (sequence && !isEnd) open.set(key, sequence)
      else open.delete(key)
      if (!isEnd || role === 'each') return { problem, isEnd }
      const problemAtEnd = problemOfEnd(role, sent, sequence) ?? problemOfRepeat(sent)
      return { problem: problem ?? problemAtEnd, isEnd }
    },
    discard(node, message) {
      const left = [...open].filter(
        ([key, sequence]) => key.startsWith(`${node} `) && sequence.message === message,
      )
      for (const [key] of left) open.delete(key)
      return left.length
    },
  }
}

/** A conversation also sends texts. */
function isSequence(role: Role, { parts }: Sent): boolean {
  if (role === 'conversation') return parts !== undefined
  return role === 'chunks' || role === 'sentences' || role === 'each'
}

/**
 * Single voices carry their count from the first on, and the end of the sound of a conversation has it. The received message itself
 * ends every other response.
 */
function endsResponse(
  role: Role,
  { parts, ticket, isComplete }: Sent,
  sequence?: Sequence,
): boolean {
  if (role === 'conversation') return isComplete
  return role === 'each' ? parts?.count === sequence?.next : ticket !== undefined
}

/** The same request must always produce the same number of bytes. */
function createMemoryOfSounds(): (sent: Sent) => string | undefined {
  const knownBytes = new Map<string, number>()
  return ({ node, audio, expected }) => {
    // For a chat response, the expected text is not the spoken text.
    if (!audio || expected?.pace === undefined) return undefined
    const { encoding, sampleRateHertz, voiceId, modelId, bytes } = audio
    // A whole MP3 file begins with a frame that states its length.
    const output = encoding === 'MP3' ? roleOf(node) : undefined
    const request = [expected.text, expected.pace, voiceId, modelId, encoding, sampleRateHertz]
    const key = [...request, output].join()
    const before = knownBytes.get(key)
    knownBytes.set(key, bytes)
    if (before === undefined || before === bytes) return undefined
    return `${bytes} bytes of ${encoding}, but ${before} for the same text before`
  }
}
