import type { DriverContext, KindSetting } from './speaker-kind.ts'

/**
 * What happens on a speaker to the sounds of a play node, such as music, while something is announced there. They take turns, or
 * the announcement is heard over them.
 */
export type Music = 'stop' | 'softer' | 'leave'

const choices: readonly Music[] = ['stop', 'softer', 'leave']

/** The setting of kinds that can play an announcement over other sounds. */
export const musicSetting: KindSetting = { name: 'music', default: 'stop', options: choices }

export function readMusic({ music }: DriverContext['config']): Music {
  return choices.find((choice) => choice === music) ?? 'stop'
}

/** The amplitude of music under an announcement: 14 dB below its own. */
export const softerAmplitude = 0.2
/** Music is still softer for this time after an announcement, so that it does not rise between two sentences. */
export const softerForMs = 700

/** Whether the microphone next to a speaker is open for "stop", "okay", "later" and "again" while an announcement sounds. */
export const hearingSetting: KindSetting = {
  name: 'hearing',
  default: 'no',
  options: ['no', 'yes'],
}

export function readHearing({ hearing }: DriverContext['config']): boolean {
  return hearing === 'yes'
}

/**
 * Whether a page marks each word while it is said. Speakers of earlier flows do not: hosted services need more time for speech
 * with the times of words.
 */
export const wordsSetting: KindSetting = { name: 'words', default: 'yes', options: ['no', 'yes'] }

export function readWords({ words }: DriverContext['config']): boolean {
  return words === 'yes'
}
