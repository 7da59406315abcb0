import { type Role, roleOf } from './flow.ts'
import type { Sent } from './flow-event.ts'
import { beginSequence, extend, problemOfEnd, type Sequence } from './utterance.ts'

/** Assembles the output of nodes. */
export interface Sequences {
  /** @returns the problem of a message, and whether it completes an output. */
  add(sent: Sent): { problem?: string; isEnd: boolean }
  /** @returns the number of sequences of a message without an end, and discards them. */
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

/** Single voices have a count from the first message on; all other sequences end with the received message. */
function endsResponse(role: Role, { parts, ticket }: Sent, sequence?: Sequence): boolean {
  return role === 'each' ? parts?.count === sequence?.next : ticket !== undefined
}

/** A repeated request must produce the same audio. */
function createMemoryOfSounds(): (sent: Sent) => string | undefined {
  const knownBytes = new Map<string, number>()
  return ({ audio, asked }) => {
    // The sentences of an answer differ from the request.
    if (!audio || asked?.pace === undefined) return undefined
    const { encoding, sampleRateHertz, voiceId, modelId, bytes } = audio
    const key = [asked.text, asked.pace, voiceId, modelId, encoding, sampleRateHertz].join()
    const before = knownBytes.get(key)
    knownBytes.set(key, bytes)
    if (before === undefined || before === bytes) return undefined
    return `${bytes} bytes of ${encoding}, and ${before} for the same text before`
  }
}
