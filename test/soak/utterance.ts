import { encodings } from '@parlando/core/audio'
import type { AudioEncoding } from '@parlando/core/wire'
import type { Role } from './flow.ts'
import type { Sent, SentAudio } from './flow-event.ts'

/** The messages of one sequence that have been sent so far. */
export interface Sequence {
  message: string
  next: number
  bytes: number
  texts: string[]
}

export function beginSequence({ message }: Sent): Sequence {
  return { message, next: 0, bytes: 0, texts: [] }
}

/** Adds the next message. @returns its problem. */
export function extend(sequence: Sequence, sent: Sent): string | undefined {
  const expected = sequence.next
  const index = sent.parts?.index
  sequence.next = (index ?? 0) + 1
  sequence.bytes += sent.bytes ?? 0
  if (sent.text) sequence.texts.push(sent.text)
  if (index !== expected) return `part ${index} arrived instead of ${expected}`
  if (sent.audio && sent.audio.bytes !== sequence.bytes) {
    return `part ${index} states ${sent.audio.bytes} bytes so far, but ${sequence.bytes} arrived`
  }
  return undefined
}

/** @returns the problem of a final message or of a single-message output. */
export function problemOfEnd(role: Role, sent: Sent, sequence?: Sequence): string | undefined {
  const { parts, audio, asked, isComplete } = sent
  if (sequence && (!isComplete || parts?.count !== sequence.next)) {
    return `the final message states ${parts?.count} parts, but ${sequence.next} arrived`
  }
  if (role === 'sentences') return problemOfResponse(sequence?.texts.join(' '), asked?.text)
  if (role === 'answer') return problemOfResponse(sent.text, asked?.text)
  if (!audio) return problemOfPassedEnd(role, sent)
  if (role === 'whole' && audio.bytes !== sent.bytes) {
    return `${audio.bytes} bytes were made, but ${sent.bytes} were sent`
  }
  return problemOfSound(audio, asked?.pace ?? 1)
}

/** The final message of a text sequence becomes an empty final message of audio. */
function problemOfPassedEnd(role: Role, { bytes }: Sent): string | undefined {
  if (role !== 'chunks' && role !== 'whole') return undefined
  return bytes === 0 ? undefined : 'sound without facts about it'
}

/** The language model is an echo. */
function problemOfResponse(answer: string | undefined, question = ''): string | undefined {
  return answer?.endsWith(`You said: ${question}`) ? undefined : 'the answer is not the echo'
}

// English speech takes about 0.06 s per letter; short texts take more because of the pauses.
const minSecondsPerCharacter = 0.03
const maxSecondsPerCharacter = 0.2
const maxHeadBytes = 100

function problemOfSound(audio: SentAudio, pace: number): string | undefined {
  const { encoding, sampleRateHertz, bytes, durationSeconds, characters } = audio
  if (bytes === 0) return 'no sound'
  if (durationSeconds === undefined) return undefined
  const perCharacter = (durationSeconds * pace) / characters
  if (perCharacter < minSecondsPerCharacter || perCharacter > maxSecondsPerCharacter) {
    return `${durationSeconds} s of sound for ${characters} characters at pace ${pace}`
  }
  const { bytesPerSample } = encodings[encoding as AudioEncoding]
  if (bytesPerSample === undefined) return undefined
  const headBytes = bytes - durationSeconds * sampleRateHertz * bytesPerSample
  const isPlausible = Math.abs(headBytes) <= maxHeadBytes
  return isPlausible ? undefined : `${bytes} bytes of ${encoding} for ${durationSeconds} s`
}
