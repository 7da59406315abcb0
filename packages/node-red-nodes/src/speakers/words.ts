import type { DriverContext, KindSetting } from './speaker-kind.ts'

/**
 * Whether a page marks each word while it is said. Speakers of earlier flows do not: hosted services need more time for speech
 * with the times of words.
 */
export const wordsSetting: KindSetting = { name: 'words', default: 'yes', options: ['no', 'yes'] }

export function readWords({ words }: DriverContext['config']): boolean {
  return words === 'yes'
}
