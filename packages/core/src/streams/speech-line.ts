import { ProtocolError } from '../errors.ts'

/** A line of a speech stream: audio, decoded, and what else it says. */
export interface SpeechLine {
  /** Empty where the line has no audio. */
  audio: Buffer
  /** The other members of `result`; `undefined` where there are none. */
  facts: Record<string, unknown> | undefined
  /** The whole line where it is an error. */
  problem: unknown
}

const quote = 0x22
const colon = 0x3a
const carriageReturn = 0x0d
const space = 0x20
const padding = 0x3d

const bareStart = Buffer.from('{"result":{"audioContent":"')
const bareEnd = Buffer.from('"}}')
const audioKey = Buffer.from('"audioContent"')
// Stands for the audio while the rest of the line is parsed.
const standIn = '(audio was here)'
const noAudio = Buffer.alloc(0)

/**
 * Reads one line, `bytes` from `start` to `end`; @returns `undefined` for a line of white space.
 *
 * Parsing a line as JSON costs as much as all the rest, because of the long text in it. So the audio is cut out first:
 * a line that is nothing but audio is not parsed at all, and of any other only what stands around the audio. Both are
 * done only where they give what parsing would give. The length proves it: Node's decoder skips whatever is not base64,
 * so when nothing was skipped, there was no quote, escape or other character in what was cut out.
 * @throws {ProtocolError} `BAD_RESPONSE` when the line is not JSON or not the shape of a speech line.
 */
export function readSpeechLine(bytes: Buffer, start: number, end: number): SpeechLine | undefined {
  let last = end
  if (bytes[last - 1] === carriageReturn) last -= 1
  return (
    readBareLine(bytes, start, last) ??
    readAroundAudio(bytes, start, last) ??
    readPlainLine(bytes.toString('utf8', start, last))
  )
}

/** Reads a line as any JSON parser would. */
export function readPlainLine(line: string): SpeechLine | undefined {
  if (line.trim() === '') return undefined
  const value = parse(line)
  if (typeof value !== 'object' || value === null) throw badShape()
  const { error, result = {} } = value as { error?: unknown; result?: unknown }
  if (error) return { audio: noAudio, facts: undefined, problem: value }
  if (typeof result !== 'object' || Array.isArray(result)) throw badShape()
  const { audioContent = '', ...facts } = (result ?? {}) as Record<string, unknown>
  if (typeof audioContent !== 'string' && audioContent !== null) throw badShape()
  return {
    audio: audioContent ? Buffer.from(audioContent, 'base64') : noAudio,
    facts: Object.keys(facts).length > 0 ? facts : undefined,
    problem: undefined,
  }
}

/** `{"result":{"audioContent":"…"}}` to the letter. */
function readBareLine(bytes: Buffer, start: number, end: number): SpeechLine | undefined {
  const audioStart = start + bareStart.length
  const audioEnd = end - bareEnd.length
  if (audioEnd < audioStart) return undefined
  if (!hasAt(bytes, audioEnd, bareEnd) || !hasAt(bytes, start, bareStart)) return undefined
  const audio = decodeExactly(bytes, audioStart, audioEnd)
  return audio && { audio, facts: undefined, problem: undefined }
}

/** Any line with `"audioContent": "…"` in it: parses what stands before and after. */
function readAroundAudio(bytes: Buffer, start: number, end: number): SpeechLine | undefined {
  const keyStart = bytes.subarray(start, end).indexOf(audioKey)
  if (keyStart === -1) return undefined
  let at = skipSpaces(bytes, start + keyStart + audioKey.length)
  if (bytes[at] !== colon) return undefined
  at = skipSpaces(bytes, at + 1)
  const audioStart = at + 1
  const audioEnd = bytes.indexOf(quote, audioStart)
  if (bytes[at] !== quote || audioEnd === -1 || audioEnd >= end) return undefined
  const audio = decodeExactly(bytes, audioStart, audioEnd)
  if (!audio) return undefined

  const before = bytes.toString('utf8', start, audioStart)
  const after = bytes.toString('utf8', audioEnd, end)
  if (before.includes(standIn) || after.includes(standIn)) return undefined
  const line = readPlainJson(before + standIn + after)
  if (line?.result?.['audioContent'] !== standIn || line.error) return undefined
  const { audioContent: _audio, ...facts } = line.result
  return {
    audio,
    facts: Object.keys(facts).length > 0 ? facts : undefined,
    problem: undefined,
  }
}

/** @returns the audio, or `undefined` where the bytes are not base64 and nothing else. */
function decodeExactly(bytes: Buffer, start: number, end: number): Buffer | undefined {
  const characters = end - start
  if (characters % 4 === 1) return undefined
  let expectedBytes = Math.floor((characters * 3) / 4)
  if (characters % 4 === 0 && bytes[end - 1] === padding) {
    expectedBytes -= bytes[end - 2] === padding ? 2 : 1
  }
  const audio = Buffer.allocUnsafe(expectedBytes)
  const writtenBytes = audio.write(bytes.toString('latin1', start, end), 'base64')
  return writtenBytes === expectedBytes ? audio : undefined
}

function readPlainJson(
  line: string,
): { result?: Record<string, unknown>; error?: unknown } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new ProtocolError('Speech failed: a line of the answer is not JSON', {
      code: 'BAD_RESPONSE',
    })
  }
}

function badShape(): ProtocolError {
  const message = 'Speech failed: a line of the answer has not the shape of a speech result'
  return new ProtocolError(message, { code: 'BAD_RESPONSE' })
}

/** Byte by byte, since a call out of JavaScript costs more than so few bytes. */
function hasAt(bytes: Buffer, start: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[start + index] !== expected[index]) return false
  }
  return true
}

function skipSpaces(bytes: Buffer, start: number): number {
  let at = start
  while (bytes[at] === space || bytes[at] === 0x09) at += 1
  return at
}
