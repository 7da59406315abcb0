import type { RunningEngines } from '../engines/registry.ts'
import type { SpeakingVoice } from './voice.ts'

/** A voice of an engine that speaks like a recording. */
export interface Imitator extends Pick<SpeakingVoice, 'engine' | 'engineVoice'> {
  /** Whether it needs the words of the recording. */
  needsText: boolean
}

/** @returns the voices of all engines that imitate; first those that need no words. */
export function listImitators(engines: RunningEngines): Imitator[] {
  const imitators = [...engines].flatMap(([name, { engine }]) =>
    engine.voices.flatMap(({ name: engineVoice, imitates }) =>
      imitates ? [{ engine: name, engineVoice, needsText: imitates.needsText }] : [],
    ),
  )
  return imitators.sort((one, other) => Number(one.needsText) - Number(other.needsText))
}

/**
 * @returns the clone, spoken like its recording if it has one and an engine can imitate it. Otherwise, for example after
 * the model was removed, it is the imprint of the clone.
 */
export function imitate(clone: SpeakingVoice, engines: RunningEngines): SpeakingVoice {
  const { recording } = clone
  if (!recording) return clone
  const imitator = listImitators(engines).find(({ needsText }) => !needsText || recording.text)
  if (!imitator) return clone
  const { engine, engineVoice } = imitator
  return { ...clone, engine, engineVoice, imprint: undefined }
}
