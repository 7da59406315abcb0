import { describe, expect, it } from 'vitest'
import { adviceForLanguage, findVoiceFor, keepVoiceFor, speaks } from './spoken-languages.ts'

const voices = [
  { voiceId: 'Clara', langCode: 'EN_US' },
  { voiceId: 'Angus', langCode: 'EN_GB' },
  { voiceId: 'Supertonic', langCode: 'AUTO', promptLanguages: ['DE_DE', 'KO_KR'] },
  { voiceId: 'Nobody' },
]

describe('the languages of voices', () => {
  it('are those of the code, or those that a voice with several lists', () => {
    expect(speaks(voices[0]!, 'en')).toBe(true)
    expect(speaks(voices[2]!, 'de')).toBe(true)
    expect(speaks(voices[2]!, 'en')).toBe(false)
    expect(speaks(voices[3]!, 'en')).toBe(false)
  })

  it('find a voice for a language, with its region if there is one', () => {
    expect(findVoiceFor('en-GB', voices)?.voiceId).toBe('Angus')
    expect(findVoiceFor('de-AT', voices)?.voiceId).toBe('Supertonic')
    expect(findVoiceFor('fr', voices)).toBeUndefined()
  })

  it('keep a voice that may speak a language, or find another one', () => {
    const keep = (language: string, voice: number) =>
      keepVoiceFor(language, voices[voice], voices)?.voiceId
    expect(keep('en', 1)).toBe('Angus')
    expect(keep('de', 1)).toBe('Supertonic')
    expect(keep('ko', 2)).toBe('Supertonic')
    expect(keep('en', 2)).toBe('Clara')
    expect(keep('fr', 2)).toBeUndefined()
    expect(keep('fr', 3)).toBe('Nobody')
  })

  it('give advice: which voices speak a language, or how to add one', () => {
    expect(adviceForLanguage('en_AU', voices)).toBe('these voices speak English: Clara, Angus')
    expect(adviceForLanguage('fr-CA', voices)).toBe(
      'no voice of this service speaks French; to add one, choose "More voices and languages" in a form of Node-RED, or run: parlando-local voices add natural --lang fr',
    )
  })
})
