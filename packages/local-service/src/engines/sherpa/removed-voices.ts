import { removedModelError } from '../../errors/removed-model-error.ts'
import type { OpenModel } from './open-model.ts'
import type { ModelVoice } from './sherpa-voices.ts'

/** The voices of removed models, which are no longer offered but finish the utterances that have begun. */
export interface RemovedVoices {
  add(voices: readonly ModelVoice[]): void
  /** @throws {EngineError} if the voice is unknown, and the errors of `speak`. */
  use(name: string, speak: (voice: ModelVoice) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** @param delayMs how long a model waits for the next phrase of an utterance before it closes. */
export function createRemovedVoices(delayMs = 30_000): RemovedVoices {
  const voices = new Map<string, ModelVoice>()
  const timers = new Map<OpenModel, NodeJS.Timeout>()

  const close = async (model: OpenModel) => {
    clearTimeout(timers.get(model))
    timers.delete(model)
    for (const [name, voice] of voices) if (voice.model === model) voices.delete(name)
    await model.close()
  }
  const closeLater = (model: OpenModel) => {
    clearTimeout(timers.get(model))
    timers.set(model, setTimeout(() => void close(model), delayMs).unref())
  }

  return {
    add(removed) {
      for (const each of removed) voices.set(each.voice.name, each)
      for (const model of new Set(removed.map((each) => each.model))) closeLater(model)
    },
    async use(name, speak) {
      const voice = voices.get(name)
      if (!voice) throw removedModelError(`The voice ${name}`, 'voice')
      clearTimeout(timers.get(voice.model))
      await speak(voice).finally(() => closeLater(voice.model))
    },
    async close() {
      await Promise.all([...timers.keys()].map(close))
    },
  }
}
