import type { EngineVoice } from '../engine.ts'
import type { Model } from './read-models.ts'
import type { SherpaPhrase } from './sherpa-program.ts'

/** A voice, and the fields of a phrase that select it. */
export interface SherpaVoice extends EngineVoice {
  selection: Pick<SherpaPhrase, 'speaker' | 'recording'>
}

// Some models have a thousand speakers.
const maxSpeakers = 50

/** @returns a voice for each speaker of the model, or for each recording that it can imitate. */
export function toVoices(model: Model, speakers: number): SherpaVoice[] {
  const { displayName, recordings } = model
  if (recordings.length > 0) {
    return recordings.map((recording) =>
      toVoice(model, recording.name, `${recording.name}, ${displayName}`, { recording }),
    )
  }
  if (speakers === 1) return [toVoice(model, '', displayName, { speaker: 0 })]
  return Array.from({ length: Math.min(speakers, maxSpeakers) }, (_, speaker) =>
    toVoice(model, `${speaker}`, `${displayName}, speaker ${speaker}`, { speaker }),
  )
}

function toVoice(
  { name, langCode, family }: Model,
  part: string,
  displayName: string,
  selection: SherpaVoice['selection'],
): SherpaVoice {
  const voiceId = ['sherpa', name, part].filter(Boolean).map(toIdPart).join('-')
  const voice = {
    ...{ voiceId, langCode, displayName: `${displayName} (sherpa)` },
    description: `A voice of the ${family} model ${name}, spoken by sherpa-onnx`,
    source: 'SYSTEM',
    categories: ['local'],
    tags: ['sherpa', family],
  }
  return { name: voiceId, langCode, voice, selection }
}

function toIdPart(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}_.]+/gu, '-')
}
