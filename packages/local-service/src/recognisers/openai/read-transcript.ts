import { createEventParser } from '@parlando/core/sse'
import { parseJson } from '@parlando/core/wire'
import { z } from 'zod'
import { problemText } from '../../remote/read-response.ts'
import { cleanTranscript, cleanWords } from '../clean-transcript.ts'
import type { RecognisedUtterance, RecognisedWord } from '../recogniser.ts'
import { readHeardLanguage } from '../whisper-languages.ts'

const wordSchema = z.looseObject({
  word: z.string(),
  start: z.number().min(0),
  end: z.number().min(0),
  probability: z.number().min(0).max(1).nullish().catch(undefined),
})
// Malformed times must not lose the transcript.
const wordsSchema = z.array(wordSchema).nullish().catch(undefined)

const transcriptSchema = z.looseObject({
  text: z.string(),
  /** The name of the language, which only `verbose_json` has. */
  language: z.unknown().optional(),
  words: wordsSchema,
  // whisper.cpp has the words in its segments only.
  segments: z
    .array(z.looseObject({ words: wordsSchema }))
    .nullish()
    .catch(undefined),
})

const eventSchema = z.looseObject({
  type: z.string().optional(),
  delta: z.string().optional(),
  text: z.string().optional(),
  error: z.unknown().optional(),
})

/**
 * Reads a successful response: JSON, the text only, or events.
 * @param options.isEvents whether the body is a stream of server-sent events.
 * @throws {Error} saying what the server did: an error with status 200, or a body that is not a transcript.
 */
export function readTranscript(
  body: string,
  { isEvents, withWords }: { isEvents: boolean; withWords: boolean },
): RecognisedUtterance {
  if (isEvents) return { text: cleanTranscript(joinDeltas(body)) }
  const json = parseJson(body)
  if (typeof json === 'string') return { text: cleanTranscript(json) }
  if (json === undefined || json === null || typeof json !== 'object') {
    // Some servers always send the text only. Markup and incomplete JSON are not a transcript.
    if (/^\s*[<{]/.test(body)) throw notTranscript()
    return { text: cleanTranscript(body) }
  }
  if ('error' in json && !('text' in json)) throw failed(json)
  const parsed = transcriptSchema.safeParse(json)
  if (!parsed.success) throw notTranscript()
  const text = cleanTranscript(parsed.data.text)
  const language = readHeardLanguage(parsed.data.language)
  const utterance = { text, ...(language && { language }) }
  if (!withWords) return utterance
  const { words, segments } = parsed.data
  const timed = words?.length ? words : (segments ?? []).flatMap((segment) => segment.words ?? [])
  if (timed.length === 0) return utterance
  return {
    ...utterance,
    words: cleanWords(joinTokens(timed), { text: parsed.data.text, cleaned: text }),
  }
}

function failed(body: object): Error {
  return new Error(`reports an error: ${problemText(body)}`)
}

function notTranscript(): Error {
  return new Error('sent a response that is not a transcript. Check --transcription-upstream')
}

/** Adds up the deltas of the events, because some servers leave the text of the last event empty. */
function joinDeltas(body: string): string {
  let sum = ''
  let final = ''
  const parser = createEventParser({
    maxEventCharacters: body.length,
    toError: notTranscript,
    onEvent(data) {
      const event = eventSchema.safeParse(parseJson(data)).data ?? {}
      const { type = '', delta = '', text = '', error } = event
      if (type === 'error' || error) throw failed(event)
      if (type.endsWith('.delta')) sum += delta
      if (type.endsWith('.done')) final = text
    },
  })
  parser.push(Buffer.from(body))
  parser.end()
  return sum || final
}

/** Joins tokens to words. Only whisper.cpp sends tokens: those that start a word begin with a space. */
function joinTokens(tokens: readonly z.infer<typeof wordSchema>[]): RecognisedWord[] {
  const areTokens = tokens.some(({ word }) => word.startsWith(' '))
  const words: RecognisedWord[] = []
  for (const { word, start, end, probability } of tokens) {
    const last = words.at(-1)
    if (areTokens && last && !word.startsWith(' ')) {
      last.text += word
      last.endSeconds = end
      continue
    }
    const confidence = probability ?? undefined
    words.push({ text: word.trim(), startSeconds: start, endSeconds: end, confidence })
  }
  return words
}
