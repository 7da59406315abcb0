import { encodings } from '@parlando/core/audio'
import type { AudioEncoding } from '@parlando/core/wire'
import type { Role } from '../flow/nodes.ts'
import type { Sent, SentAudio } from './flow-event.ts'

/** The messages of one sequence so far. */
export interface Sequence {
  message: string
  next: number
  bytes: number
  texts: string[]
}

export function beginSequence({ message }: Sent): Sequence {
  return { message, next: 0, bytes: 0, texts: [] }
}

/** Adds the next message. @returns a problem, if there is one. */
export function extend(sequence: Sequence, sent: Sent): string | undefined {
  const expected = sequence.next
  const index = sent.parts?.index
  sequence.next = (index ?? 0) + 1
  sequence.bytes += sent.bytes ?? 0
  if (sent.text) sequence.texts.push(sent.text)
  if (index !== expected) return `part ${index} instead of part ${expected}`
  if (sent.audio && sent.audio.bytes !== sequence.bytes) {
    return `part ${index} reports ${sent.audio.bytes} bytes so far instead of ${sequence.bytes}`
  }
  return undefined
}

/** Checks the last message of a sequence, or a response of one message. @returns a problem, if there is one. */
export function problemOfEnd(role: Role, sent: Sent, sequence?: Sequence): string | undefined {
  const { parts, audio, expected, isComplete } = sent
  if (sequence && (!isComplete || parts?.count !== sequence.next)) {
    return `the end reports ${parts?.count} parts instead of ${sequence.next}`
  }
  if (role === 'sentences') return problemOfResponse(sequence?.texts.join(' '), expected?.text)
  if (role === 'answer') return problemOfResponse(sent.text, expected?.text)
  if (role === 'announcement' || role === 'text') return problemOfReport(sent)
  if (role === 'conversation') return undefined
  if (!audio) return problemOfPassedEnd(role, sent)
  if (role === 'whole' && audio.bytes !== sent.bytes) {
    return `${audio.bytes} bytes reported, ${sent.bytes} sent`
  }
  return problemOfSound(audio, expected?.pace ?? 1)
}

const reports = ['said', 'not said', 'read', 'not read']

function problemOfReport({ report }: Sent): string | undefined {
  return reports.includes(`${report}`) ? undefined : `a report with the status ${report}`
}

/** The end of a sequence of texts becomes an empty end of a sequence of audio. */
function problemOfPassedEnd(role: Role, { bytes }: Sent): string | undefined {
  if (role !== 'chunks' && role !== 'whole') return undefined
  return bytes === 0 ? undefined : 'audio without msg.audio'
}

/** The language model repeats the question. */
function problemOfResponse(response: string | undefined, question = ''): string | undefined {
  return response?.endsWith(`You said: ${question}`)
    ? undefined
    : 'the response does not repeat the question'
}

// English speech takes about 0.06 s per character, and more in short texts.
const minSecondsPerCharacter = 0.03
const maxSecondsPerCharacter = 0.2
const maxHeadBytes = 100

function problemOfSound(audio: SentAudio, pace: number): string | undefined {
  const { encoding, sampleRateHertz, bytes, durationSeconds, characters } = audio
  if (bytes === 0) return 'no audio'
  if (durationSeconds === undefined) return undefined
  const perCharacter = (durationSeconds * pace) / characters
  if (perCharacter < minSecondsPerCharacter || perCharacter > maxSecondsPerCharacter) {
    return `${durationSeconds} s of audio for ${characters} characters at pace ${pace}`
  }
  const { bytesPerSample } = encodings[encoding as AudioEncoding]
  if (bytesPerSample === undefined) return undefined
  const headBytes = bytes - durationSeconds * sampleRateHertz * bytesPerSample
  const isPlausible = Math.abs(headBytes) <= maxHeadBytes
  return isPlausible ? undefined : `${bytes} bytes of ${encoding} for ${durationSeconds} s`
}
