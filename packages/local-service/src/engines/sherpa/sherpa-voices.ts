import type { EngineVoice } from '../engine.ts'
import type { OpenModel } from './open-model.ts'
import type { Model } from './read-models.ts'
import type { SherpaPhrase } from './sherpa-program.ts'
import { supertonicLanguages, supertonicLimits } from './supertonic.ts'

/** A voice, and the fields of a phrase that select it. */
export interface SherpaVoice extends EngineVoice {
  selection: Pick<SherpaPhrase, 'speaker' | 'recording'>
}

/** A voice with the model that speaks it. */
export interface ModelVoice {
  voice: SherpaVoice
  model: OpenModel
}

/** What the voices of a model differ in. */
interface VoicePart {
  /** The last part of the id; empty for the only voice of a model. */
  id: string
  displayName: string
  gender?: 'female' | 'male'
  selection: SherpaVoice['selection']
}

// Some models have a thousand speakers.
const maxSpeakers = 50
/** The makers of Supertonic name the first five speakers F1 to F5 and the others M1 to M5. */
const supertonicSpeakers = 10

/** @returns a voice for each speaker of the model; for one that imitates, a voice for clones and one for each recording. */
export function toVoices(model: Model & { speakers: number }): SherpaVoice[] {
  const { displayName, recordings, family, speakers } = model
  if (model.isCloning) {
    const named = recordings.map((recording) =>
      toVoice(model, {
        id: recording.name,
        displayName: `${recording.name}, ${displayName}`,
        selection: { recording },
      }),
    )
    return [imitatingVoice(model), ...named]
  }
  if (speakers === 1) return [toVoice(model, { id: '', displayName, selection: { speaker: 0 } })]
  const isNamed = family === 'supertonic' && speakers === supertonicSpeakers
  return Array.from({ length: Math.min(speakers, maxSpeakers) }, (_, speaker) =>
    toVoice(model, isNamed ? supertonicPart(model, speaker) : numberedPart(model, speaker)),
  )
}

/** Callers see it only as their clones. It speaks all languages of the model, whereas a recording is in one of them. */
function imitatingVoice({ name, langCode, langCodes, family }: Model): SherpaVoice {
  const imitates = { needsText: family === 'zipvoice' }
  return { name: `imitating-${name}`, langCode, languages: langCodes, imitates, selection: {} }
}

function numberedPart({ displayName }: Model, speaker: number): VoicePart {
  return {
    id: `${speaker}`,
    displayName: `${displayName}, speaker ${speaker}`,
    selection: { speaker },
  }
}

function supertonicPart({ displayName }: Model, speaker: number): VoicePart {
  const perGender = supertonicSpeakers / 2
  const isFemale = speaker < perGender
  const name = `${isFemale ? 'F' : 'M'}${(speaker % perGender) + 1}`
  return {
    id: name,
    displayName: `${displayName} ${name}`,
    gender: isFemale ? 'female' : 'male',
    selection: { speaker },
  }
}

function toVoice(
  { name, langCode, family }: Model,
  { id, displayName, gender, selection }: VoicePart,
): SherpaVoice {
  const voiceId = ['sherpa', name, id].filter(Boolean).map(toIdPart).join('-')
  const isSupertonic = family === 'supertonic'
  const voice = {
    voiceId,
    langCode,
    displayName: `${displayName} (sherpa)`,
    description: `A voice of the ${family} model ${name}, spoken by sherpa-onnx`,
    source: 'SYSTEM',
    categories: ['local'],
    tags: ['sherpa', family],
    ...(gender && { gender }),
    ...(isSupertonic && { promptLanguages: supertonicLanguages.map(toLangCode) }),
  }
  const several = isSupertonic && { languages: supertonicLanguages, phraseLimits: supertonicLimits }
  return { name: voiceId, langCode, voice, selection, ...several }
}

function toIdPart(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}_.]+/gu, '-')
}

/** @returns `DE_DE` for `de`: the region with the most speakers. */
function toLangCode(language: string): string {
  const { region } = new Intl.Locale(language).maximize()
  return `${language}_${region}`.toUpperCase()
}
