import { voiceSchema } from '@parlando/core/wire'
import { z } from 'zod'
import { voiceProfileSchema } from '../profile.ts'
import type { SpeakingVoice } from '../voice.ts'

/** Raised when a file of today could not be read any more. */
const version = 1

// Files are named by it: nothing that is a path or needs to be encoded.
const cloneIdSchema = z.string().regex(/^local__[a-z0-9-]{1,80}$/)

const cloneSchema = z.object({
  voice: voiceSchema.extend({ voiceId: cloneIdSchema, createTime: z.iso.datetime() }),
  engine: z.string().min(1),
  engineVoice: z.string().min(1),
  imprint: voiceProfileSchema,
})

const versionSchema = z.object({ parlandoVoice: z.int() })

/** How large a file may be that is looked into. */
export const maxVoiceFileBytes = 256 * 1024

export function fileNameOf(voiceId: string): string {
  return `${cloneIdSchema.parse(voiceId)}.json`
}

export function writeVoiceFile(clone: SpeakingVoice): string {
  return `${JSON.stringify({ parlandoVoice: version, ...clone }, undefined, 2)}\n`
}

/** @throws {Error} that says, after the name of the file, why there is no voice in it. */
export function readVoiceFile(name: string, text: string): SpeakingVoice {
  const content = parseJson(text)
  const itsVersion = versionSchema.safeParse(content).data?.parlandoVoice
  if (itsVersion === undefined) throw new Error('it is no file of a voice')
  if (itsVersion > version) throw new Error('a newer version of this service wrote it')
  const parsed = cloneSchema.safeParse(content)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new Error(problems.join('; '))
  }
  if (fileNameOf(parsed.data.voice.voiceId) !== name) throw new Error('it was renamed')
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('it is not JSON')
  }
}
