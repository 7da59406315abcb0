import type { CallOptions, Client, VoiceClone, VoiceFile } from '@parlando/core'
import { textOf } from '../runtime/admin-route.ts'

/** The fields of a request of the studio. Anybody who may use it can send anything; the client checks the values. */
type Body = Record<string, unknown>
type VoiceRequest = (client: Client, body: Body, call: CallOptions) => Promise<object>

/** What the studio requests of a service about its clones, by the end of the path. */
export const voiceRequests: Readonly<Record<string, VoiceRequest>> = {
  'studio/clone': cloneRecording,
  async 'studio/change'(client, { voiceId, displayName, description, tags }, call) {
    const texts = {
      displayName: textOf(displayName),
      description: textOf(description),
      tags: textsOf(tags),
    }
    return { voice: await client.updateVoice({ voiceId: textOf(voiceId), ...texts }, call) }
  },
  'studio/export': (client, { voiceId }, call) => client.exportVoice(textOf(voiceId), call),
  async 'studio/import'(client, { file }, call) {
    return { voice: await client.importVoice(file as VoiceFile, call) }
  },
  async 'studio/delete'(client, { voiceId }, call) {
    await client.deleteVoice(textOf(voiceId), call)
    return {}
  },
}

/** @returns the voice, and what the service says about the recording. */
async function cloneRecording(client: Client, body: Body, call: CallOptions) {
  const { recording, transcription, displayName, langCode, tags, ...options } = body
  // Not decoded here: the service does that in a process.
  const audio = Buffer.from(textOf(recording), 'base64')
  const words = textOf(transcription)
  const request = {
    displayName: textOf(displayName),
    langCode: textOf(langCode),
    tags: textsOf(tags),
    samples: [words ? { audio, transcription: words } : audio],
    removeBackgroundNoise: options['removeBackgroundNoise'] === true,
    keepRecording: options['keepRecording'] === true,
  }
  const { voice, warnings, errors } = await client.cloneVoice(request, call)
  return { voice, remarks: remarksOf({ warnings, errors }) }
}

function remarksOf({ warnings, errors }: Pick<VoiceClone, 'warnings' | 'errors'>): object[] {
  return [...errors, ...warnings].map(({ code, text }) => ({ code, text }))
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter(Boolean) : []
}
