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

/** Adds the next message. @returns what is wrong with it. */
export function extend(sequence: Sequence, sent: Sent): string | undefined {
  const expected = sequence.next
  const index = sent.parts?.index
  sequence.next = (index ?? 0) + 1
  sequence.bytes += sent.bytes ?? 0
  if (sent.text) sequence.texts.push(sent.text)
  if (index !== expected) return `part ${index} came where ${expected} was due`
  if (sent.audio && sent.audio.bytes !== sequence.bytes) {
    return `part ${index} speaks of ${sent.audio.bytes} bytes so far, and ${sequence.bytes} came`
  }
  return undefined
}

/** @returns what is wrong with the message that closes a sequence, or is all of an answer. */
export function problemOfEnd(role: Role, sent: Sent, sequence?: Sequence): string | undefined {
  const { parts, audio, asked, isComplete } = sent
  if (sequence && (!isComplete || parts?.count !== sequence.next)) {
    return `the end speaks of ${parts?.count} parts, and ${sequence.next} came`
  }
  if (role === 'sentences') return problemOfResponse(sequence?.texts.join(' '), asked?.text)
  if (role === 'answer') return problemOfResponse(sent.text, asked?.text)
  if (!audio) return problemOfPassedEnd(role, sent)
  if (role === 'whole' && audio.bytes !== sent.bytes) {
    return `${audio.bytes} bytes were made, and ${sent.bytes} sent`
  }
  return problemOfSound(audio, asked?.pace ?? 1)
}

/** The end of a sequence of texts becomes the end of a sequence of sound, with nothing in it. */
function problemOfPassedEnd(role: Role, { bytes }: Sent): string | undefined {
  if (role !== 'chunks' && role !== 'whole') return undefined
  return bytes === 0 ? undefined : 'sound without facts about it'
}

/** The language model is an echo. */
function problemOfResponse(answer: string | undefined, question = ''): string | undefined {
  return answer?.endsWith(`You said: ${question}`) ? undefined : 'the answer is not the echo'
}

// English speech has some 0.06 s for a letter; short texts more, since words have ends.
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
