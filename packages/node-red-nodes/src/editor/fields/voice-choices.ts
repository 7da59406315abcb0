import type { Voice } from '@parlando/core'
import { defaultVoiceOf } from '../../runtime/speech/default-voice.ts'
import { askService } from '../ask-admin.ts'
import { RED, text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import type { Choice } from './choices.ts'
import { languageName } from './language-names.ts'

interface VoiceList {
  voices: Voice[]
  /** Why voices are missing, or cannot speak, at the moment. */
  problems?: string[]
}

let latest: { key: string; atMs: number; list: Promise<VoiceList> } | undefined

// Several fields and the listen button need the list at once, but a new clone must appear soon.
const keepMs = 15_000

/** The voices of a service. @throws an Error with the reason if there is no list. */
export async function listVoices(service: ServiceSettings | undefined): Promise<Voice[]> {
  return (await readList(service)).voices
}

/** The sentences of a service about the servers whose voices it cannot use. @throws as `listVoices`. */
export async function listVoiceProblems(
  service: ServiceSettings | undefined,
): Promise<readonly string[]> {
  return (await readList(service)).problems ?? []
}

async function readList(service: ServiceSettings | undefined): Promise<VoiceList> {
  if (!service) throw new Error(text('no-service'))
  const { id, location, baseUrl, apiKey } = service
  const key = JSON.stringify([id, location, baseUrl, apiKey])
  if (latest?.key !== key || Date.now() - latest.atMs > keepMs) {
    const list = askService<VoiceList>('voices', { service })
    latest = { key, atMs: Date.now(), list }
    list.catch(() => {
      if (latest?.list === list) latest = undefined
    })
  }
  return latest.list
}

/** The voice that speaks where none is chosen, in this language or in that of Node-RED. */
export function defaultVoice(voices: readonly Voice[], language = ''): Voice | undefined {
  return defaultVoiceOf(voices, language || RED.settings.parlandoServiceLanguage || 'en-US')
}

/** Called when voices were installed or removed: the next form gets a new list. */
export function forgetVoices(): void {
  latest = undefined
}

/** The choices for a list of voices: the user's own clones first. */
export function voiceChoices(voices: readonly Voice[]): Choice[] {
  return [...voices.filter(isClone), ...voices.filter((voice) => !isClone(voice))].map(voiceChoice)
}

/** Whether a voice is a clone of the user. */
export function isClone({ source }: Voice): boolean {
  return source === 'IVC' || source === 'PVC'
}

function badgeOf(voice: Voice): string | undefined {
  if (voice.unavailableReason) return text('unavailable')
  return isClone(voice) ? text('clone') : undefined
}

export function voiceChoice(voice: Voice): Choice {
  const { voiceId, displayName, description, langCode, promptLanguages, tags, gender } = voice
  return {
    value: voiceId,
    label: displayName || voiceId,
    note:
      voice.unavailableReason ||
      description ||
      [gender, ...(tags ?? [])].filter(Boolean).join(', '),
    group: langCode ? languageName(langCode) : undefined,
    badge: badgeOf(voice),
    keywords: [langCode, ...(promptLanguages ?? []), gender, ...(tags ?? [])]
      .filter(Boolean)
      .join(' '),
  }
}
