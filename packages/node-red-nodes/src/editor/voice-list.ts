import type { Voice } from '@parlando/core'
import { askService } from './admin.ts'
import type { Choice } from './choices.ts'
import { languageName } from './languages.ts'
import type { ServiceSettings } from './service-settings.ts'
import { text } from './texts.ts'

let latest: { key: string; atMs: number; voices: Promise<Voice[]> } | undefined

// Several fields and the listen button need the list at once, but a new clone must appear soon.
const keepMs = 15_000

/** The voices of a service. @throws an Error with the reason if there is no list. */
export async function listVoices(service: ServiceSettings | undefined): Promise<Voice[]> {
  if (!service) throw new Error(text('no-service'))
  const { id, location, baseUrl, apiKey } = service
  const key = JSON.stringify([id, location, baseUrl, apiKey])
  if (latest?.key !== key || Date.now() - latest.atMs > keepMs) {
    const voices = askService<{ voices: Voice[] }>('voices', { service }).then(
      ({ voices }) => voices,
    )
    latest = { key, atMs: Date.now(), voices }
    voices.catch(() => {
      if (latest?.voices === voices) latest = undefined
    })
  }
  return latest.voices
}

/** The choices for a list of voices: the user's own clones first. */
export function voiceChoices(voices: readonly Voice[]): Choice[] {
  return [...voices.filter(isClone), ...voices.filter((voice) => !isClone(voice))].map(voiceChoice)
}

function isClone({ source }: Voice): boolean {
  return source === 'IVC' || source === 'PVC'
}

/** The choice for a voice in a list. */
export function voiceChoice(voice: Voice): Choice {
  const { voiceId, displayName, description, langCode, promptLanguages, tags, gender } = voice
  return {
    value: voiceId,
    label: displayName || voiceId,
    note: description || [gender, ...(tags ?? [])].filter(Boolean).join(', '),
    group: langCode ? languageName(langCode) : undefined,
    badge: isClone(voice) ? text('clone') : undefined,
    keywords: [langCode, ...(promptLanguages ?? []), gender, ...(tags ?? [])]
      .filter(Boolean)
      .join(' '),
  }
}
