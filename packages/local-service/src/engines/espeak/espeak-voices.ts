import type { EngineVoice } from '../engine.ts'
import type { EspeakInfo } from './espeak-program.ts'

// Four codes look like regions but are variants: Balearic, north-western and Valencian Catalan, and classic Russian.
// The last one is Chuvash, which does not speak numbers.
const excluded = ['ca-ba', 'ca-nw', 'ca-va', 'ru-cl', 'cv']

/**
 * One voice for each language and for each region with its own variant. Dialects, other spellings and constructed
 * languages without a code are excluded.
 */
export function toEngineVoices(voices: EspeakInfo['voices']): EngineVoice[] {
  return voices.flatMap(({ code, name }) => {
    const langCode = excluded.includes(code) ? undefined : toLangCode(code)
    if (!langCode) return []
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
    return [{ name: code, langCode, voice }]
  })
}

/** @returns `DE_DE` for `de`: the region with the most speakers. `undefined` for codes with more than language and region. */
function toLangCode(code: string): string | undefined {
  if (!/^[a-z]{2,3}(-([a-z]{2}|\d{3}))?$/.test(code)) return undefined
  const { language, region } = new Intl.Locale(code).maximize()
  return region && `${language}_${region}`.toUpperCase()
}
