import type { EngineVoice } from '../engine.ts'
// Listed here, because the list of the program is only known once it has started. A test compares the two.
import languages from './espeak-voices.json' with { type: 'json' }

/** One voice for each language and for each region with its own variant. */
export const espeakVoices: readonly EngineVoice[] = Object.entries(languages).map(
  ([code, name]) => {
    const langCode = toLangCode(code)
    const voice = {
      voiceId: `espeak-${code}`,
      displayName: `${name} (espeak)`,
      langCode,
      description: `${name}, the robot voice of espeak-ng: clear and very fast, not human`,
      gender: 'male',
      source: 'SYSTEM',
      categories: ['local'],
      tags: ['espeak', 'robot', 'fast'],
    }
    return { name: code, langCode, voice }
  },
)

/** @returns `DE_DE` for `de`: the region with the most speakers. */
function toLangCode(code: string): string {
  const { language, region } = new Intl.Locale(code).maximize()
  return `${language}_${region}`.toUpperCase()
}
