import { createResampler } from '../../audio/resampler.ts'
import { findSherpaPlaces, sherpaModelsOption } from '../../models/sherpa/find-models-folders.ts'
import { defineEngine } from '../define-engine.ts'
import { type Engine, type EngineVoice, silentTextReason } from '../engine.ts'
import { spellOutForEnglishVoices } from '../english-text.ts'
import { openModels, type SherpaModelsOptions } from './open-models.ts'
import type { ModelVoice } from './sherpa-voices.ts'
import { supertonicLanguage, supertonicUnsupportedReason } from './supertonic.ts'

const sampleRateHertz = 24_000

/** An optional engine: its voices are offered when there is a folder with models and its package is installed. */
export const sherpa = defineEngine({
  name: 'sherpa',
  options: { sherpaModels: sherpaModelsOption },
  async start(context) {
    const places = await findSherpaPlaces(context)
    return places && createSherpaEngine({ ...places, warn: context.warn })
  },
  refresh: async (engine) => engine.refresh?.(),
})

/**
 * Neural voices of sherpa-onnx, with models that the user provides. Each model runs in its own process, so a damaged
 * model can only crash that process.
 * @returns `undefined` if no model can be used; `warn` receives the reasons.
 */
export async function createSherpaEngine(
  options: SherpaModelsOptions,
): Promise<Engine | undefined> {
  const open = await openModels(options)
  if (open.voices.size === 0) return undefined

  return {
    name: 'sherpa',
    sampleRateHertz,
    get voices() {
      return [...open.voices.values()].map(withMeasurement)
    },
    // One phrase already uses several cores.
    slots: 1,
    timesWords: false,
    get models() {
      return open.models.map(({ measured }) => measured)
    },
    unsupportedReason(text, name) {
      const isSupertonic = open.voices.get(name)?.model.family === 'supertonic'
      return (
        silentTextReason(text) ?? (isSupertonic ? supertonicUnsupportedReason(text) : undefined)
      )
    },
    ...spellOutForEnglishVoices((name, language) => {
      const { voice, model } = open.voices.get(name) ?? {}
      return model?.family === 'supertonic'
        ? supertonicLanguage('', language, model.langCode)
        : voice?.langCode
    }),
    speakPhrase({ voice: name, text, language, recording, signal, onSound }) {
      return open.use(name, async ({ voice, model }) => {
        const spokenLanguage = supertonicLanguage(text, language, model.langCode)
        const phrase = { text, recording, ...voice.selection, language: spokenLanguage }
        const resampler = await createResampler({
          inputRateHertz: model.sampleRateHertz,
          outputRateHertz: sampleRateHertz,
        })
        try {
          await model.speak(phrase, signal, ({ samples }) => {
            onSound({ samples: resampler.push(samples) })
          })
          onSound({ samples: resampler.end() })
        } finally {
          resampler.close()
        }
      })
    },
    load: (name) => open.use(name, ({ model }) => model.load()),
    refresh: open.refresh,
    close: open.close,
  }
}

/** @returns the voice with what its model takes on this machine. */
function withMeasurement({ voice: { selection: _, ...voice }, model }: ModelVoice): EngineVoice {
  const { memoryBytes, realTimeFactor } = model.measured
  return voice.voice ? { ...voice, voice: { ...voice.voice, memoryBytes, realTimeFactor } } : voice
}
