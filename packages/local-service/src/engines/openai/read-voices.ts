import { toLangCode } from '@parlando/core/text'
import { z } from 'zod'
import { modelsIn } from '../../remote/openai-client.ts'
import type { RemoteVoice } from '../remote/remote-engine.ts'

/** The fields of a request that select a voice. On some servers, each voice is a model. */
export type OpenAiSelection = { voice: string } | { model: string }

const textSchema = z.string().nullish().catch(undefined)
const voiceSchema = z.union([
  z
    .string()
    .min(1)
    .transform((name) => ({ name })),
  z
    .looseObject({
      id: textSchema,
      voice_id: textSchema,
      name: textSchema,
      language: textSchema,
      gender: textSchema,
    })
    .transform(({ id, voice_id, name, language, gender }) => {
      return { name: id || voice_id || name || '', title: name, language, gender }
    }),
])
const voicesSchema = z.array(z.unknown())

/** Servers list all their models, and hardly any of them states the kind. */
const speechNames =
  /tts|speech(?!-to-text)|voice|kokoro|piper|bark|chatterbox|orpheus|parler|vits|kitten|supertonic/i
const otherNames = /whisper|transcri|stt|asr|realtime/i

// A: American, B: British. After the language, the names of Kokoro have the gender: bf_emma.
const kokoroName = /^([abefhijpz])([fm])_/
const kokoroLanguages: Readonly<Record<string, string>> = {
  a: 'EN_US',
  b: 'EN_GB',
  e: 'ES_ES',
  f: 'FR_FR',
  h: 'HI_IN',
  i: 'IT_IT',
  j: 'JA_JP',
  p: 'PT_BR',
  z: 'ZH_CN',
}

/**
 * Reads a list of voices: an array, or an object with one as `voices` or `data`. Voices are texts or objects.
 * @returns an empty list for anything else.
 */
export function readVoices(list: unknown): RemoteVoice<OpenAiSelection>[] {
  const { voices, data } = (list ?? {}) as { voices?: unknown; data?: unknown }
  const listed = [list, voices, data].find(Array.isArray)
  const parsed = voicesSchema.safeParse(listed)
  if (!parsed.success) return []
  const valid = parsed.data.flatMap((item) => voiceSchema.safeParse(item).data ?? [])
  const unique = new Map(valid.map((voice) => [voice.name, voice]))
  unique.delete('')
  return [...unique.values()].map(toVoice)
}

/** Reads the models that speak, each as a voice. @returns an empty list if there is none. */
export function readModelVoices(list: unknown): RemoteVoice<OpenAiSelection>[] {
  const speaking = modelsIn(list).filter(({ id, task }) => {
    if (task) return task === 'text-to-speech'
    return speechNames.test(id) && !otherNames.test(id)
  })
  return speaking.map(({ id }) => ({ name: id, langCode: 'AUTO', selection: { model: id } }))
}

export function toVoice({
  name,
  title,
  language,
  gender,
}: {
  name: string
  title?: string | null | undefined
  language?: string | null | undefined
  gender?: string | null | undefined
}): RemoteVoice<OpenAiSelection> {
  const [, languageLetter = '', genderLetter] = kokoroName.exec(name) ?? []
  const genderOfName = genderLetter && (genderLetter === 'f' ? 'female' : 'male')
  return {
    name,
    displayName: title || name,
    langCode: language ? toLangCode(language) : (kokoroLanguages[languageLetter] ?? 'AUTO'),
    gender: gender || genderOfName || undefined,
    selection: { voice: name },
  }
}
