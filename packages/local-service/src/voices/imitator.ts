import type { EngineVoice } from '../engines/engine.ts'
import type { RunningEngines } from '../engines/engine-registry.ts'
import type { SpeakingVoice } from './speaking-voice.ts'
import { languagesOfEngineVoice, maySpeak } from './spoken-languages.ts'

/** A voice of an engine that speaks like a recording. */
export interface Imitator extends Pick<SpeakingVoice, 'engine' | 'engineVoice'> {
  languages: readonly string[]
  /** Whether it needs the words of the recording. */
  needsText: boolean
}

/** @returns the voices of all engines that imitate; first those that need no words. */
export function listImitators(engines: RunningEngines): Imitator[] {
  const imitators = [...engines].flatMap(([name, { engine }]) =>
    engine.voices.flatMap((voice) => toImitator(name, voice) ?? []),
  )
  return imitators.sort((one, other) => Number(one.needsText) - Number(other.needsText))
}

function toImitator(engine: string, voice: EngineVoice): Imitator | undefined {
  const { name: engineVoice, imitates } = voice
  const languages = languagesOfEngineVoice(voice)
  return imitates && { engine, engineVoice, languages, needsText: imitates.needsText }
}

/**
 * @returns the clone, spoken like its recording if it has one and an engine can imitate it in its language. Otherwise,
 * for example after the model was removed, it is the imprint of the clone.
 */
export function imitate(clone: SpeakingVoice, engines: RunningEngines): SpeakingVoice {
  const { recording, voice } = clone
  if (!recording) return clone
  const { langCode } = voice
  const imitator = listImitators(engines).find(
    ({ languages, needsText }) =>
      (!langCode || maySpeak(languages, langCode)) && (!needsText || recording.text),
  )
  if (!imitator) return clone
  const { engine, engineVoice } = imitator
  return { ...clone, engine, engineVoice, imprint: undefined }
}
