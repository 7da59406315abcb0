import type { EngineVoice } from '../engine.ts'
import type { EspeakInfo } from './espeak-program.ts'

// Four look like places, but mean dialects: the Balearic Islands, the north-west, Valencia, and an older Russian. The last
// is Chuvash, which is silent at numbers.
const leftOut = ['ca-ba', 'ca-nw', 'ca-va', 'ru-cl', 'cv']

/**
 * One voice for each language, and one more for each place where it is spoken otherwise. Dialects, other spellings and
 * languages that were made up for stories and have no code are left out.
 */
export function toEngineVoices(voices: EspeakInfo['voices']): EngineVoice[] {
  return voices.flatMap(({ code, name }) => {
    const langCode = leftOut.includes(code) ? undefined : toLangCode(code)
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

/** @returns for `de` the place where most speakers live, as in `DE_DE`; `undefined` for what is more than language and place. */
function toLangCode(code: string): string | undefined {
  if (!/^[a-z]{2,3}(-([a-z]{2}|\d{3}))?$/.test(code)) return undefined
  const { language, region } = new Intl.Locale(code).maximize()
  return region && `${language}_${region}`.toUpperCase()
}
