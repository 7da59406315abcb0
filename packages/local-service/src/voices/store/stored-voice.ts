import { parseJson, voiceFileSchema, voiceSchema } from '@parlando/core/wire'
import { z } from 'zod'
import { voiceProfileSchema } from '../profile.ts'
import type { SpeakingVoice } from '../speaking-voice.ts'

/** Version of the file format. Increase it when files of the current format can no longer be read. */
const version = 1

// The id is part of the file name, so it must not contain a path.
const cloneIdSchema = z.string().regex(/^local__[a-z0-9-]{1,80}$/)

const cloneSchema = z.object({
  voice: voiceSchema.extend({ voiceId: cloneIdSchema, createTime: z.iso.datetime() }),
  engine: z.string().min(1),
  engineVoice: z.string().min(1),
  imprint: voiceProfileSchema,
  /** Present if there is a recording, in a file of the same name. */
  recording: z.object({ text: z.string().optional() }).optional(),
})

/** A voice without the path of its recording, which depends on the folder. */
export type StoredVoice = z.infer<typeof cloneSchema>

/**
 * A voice in a file that goes to another service, which gives it a new id and chooses the engine. The recording, if there is one, is a
 * WAV file in base64.
 */
export const portableVoiceSchema = z.object({
  parlandoVoice: z.int().max(version, 'is newer than this service, which reads 1'),
  voice: voiceSchema
    .pick({ description: true, tags: true })
    .extend(voiceFileSchema.shape.voice.pick({ displayName: true, langCode: true }).shape),
  imprint: voiceProfileSchema,
  recording: z.object({ audioData: z.string().min(1), text: z.string().optional() }).optional(),
})

export type PortableVoice = z.infer<typeof portableVoiceSchema>

const versionSchema = z.object({ parlandoVoice: z.int() })

/** Larger files are not read. */
export const maxVoiceFileBytes = 256 * 1024

export function fileNameOf(voiceId: string): string {
  return `${cloneIdSchema.parse(voiceId)}.json`
}

export function recordingNameOf(voiceId: string): string {
  return `${cloneIdSchema.parse(voiceId)}.wav`
}

export function writeVoiceFile(clone: SpeakingVoice): string {
  const { recording, recordingElsewhere, ...facts } = clone
  const about = recording ?? recordingElsewhere
  const content = {
    parlandoVoice: version,
    ...facts,
    voice: { ...clone.voice, ...(recordingElsewhere && { keepsRecording: true }) },
    recording: about && { text: about.text },
  }
  return `${JSON.stringify(content, undefined, 2)}\n`
}

/** @param wav the recording, if the service keeps one. */
export function toPortableVoice(
  { voice, imprint, recording }: SpeakingVoice,
  wav: Uint8Array | undefined,
): object {
  const { displayName, description, langCode, tags } = voice
  return {
    parlandoVoice: version,
    voice: { displayName, description, langCode, tags },
    imprint,
    ...(wav && {
      recording: { audioData: Buffer.from(wav).toString('base64'), text: recording?.text },
    }),
  }
}

/** @throws {Error} with the reason why the file is not a valid voice file. */
export function readVoiceFile(name: string, text: string): StoredVoice {
  const content = parseJson(text)
  if (content === undefined) throw new Error('it is not JSON')
  const fileVersion = versionSchema.safeParse(content).data?.parlandoVoice
  if (fileVersion === undefined) throw new Error('it is not a voice file')
  if (fileVersion > version) throw new Error('a newer version of this service wrote it')
  const parsed = cloneSchema.safeParse(content)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new Error(problems.join('; '))
  }
  if (fileNameOf(parsed.data.voice.voiceId) !== name) throw new Error('it was renamed')
  return parsed.data
}

/** @param wavPath Absent: the file does not exist, since a person may have deleted it, and the voice has no recording. */
export function withRecording(
  { recording, ...clone }: StoredVoice,
  wavPath: string | undefined,
): SpeakingVoice {
  if (recording && wavPath) return { ...clone, recording: { ...recording, wavPath } }
  const { keepsRecording: _, ...voice } = clone.voice
  return { ...clone, voice }
}

export function inOrderOfCreation(one: SpeakingVoice, other: SpeakingVoice): number {
  return timeOf(one) - timeOf(other)
}

function timeOf({ voice }: SpeakingVoice): number {
  return Date.parse(String(voice['createTime']))
}
