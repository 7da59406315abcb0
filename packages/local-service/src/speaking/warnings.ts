import { isSameLanguage } from '@parlando/core/text'
import type { SpeechWarning } from '@parlando/core/wire'
import type { RunningEngine } from '../engines/engine-registry.ts'
import { findOtherLanguage } from '../text/other-language.ts'
import type { SpeakingVoice } from '../voices/speaking-voice.ts'
import { adviceForLanguage, languageName } from '../voices/spoken-languages.ts'
import type { VoiceList } from '../voices/voice-list.ts'
import { spokenLanguages } from './request-fields.ts'

const maxNamedCharacters = 10
// These limit the warnings of another service: a response has them in a header.
const maxWarnings = 8
const maxWarningCharacters = 1000

/** Who speaks. */
interface Speaker {
  voice: SpeakingVoice
  running: RunningEngine
  /** All voices, for advice. */
  voiceList: VoiceList
  /** Whether the caller wants the times of words, which the voice does not report. */
  lacksWordTimes: boolean
}

/** What the voice will not speak as the caller expects. The text is spoken anyway. */
export function findWarnings(text: string, speaker: Speaker): SpeechWarning[] {
  return [
    ...skippedCharacters(text, speaker),
    ...otherLanguage(text, speaker),
    ...missingTimes(speaker),
  ]
}

/** Adds what another service says about a phrase, unless it is known. */
export function addWarnings(known: SpeechWarning[], received: readonly SpeechWarning[]): void {
  for (const warning of received) {
    const { code, characters } = warning
    const isKnown = known.some((one) => one.code === code && one.characters === characters)
    const isShort = JSON.stringify(warning).length <= maxWarningCharacters
    if (!isKnown && isShort && known.length < maxWarnings) known.push(warning)
  }
}

function skippedCharacters(text: string, { running, voice }: Speaker): SpeechWarning[] {
  const skipped = running.engine.skippedCharacters?.(text, voice.engineVoice) ?? []
  if (skipped.length === 0) return []
  const characters = skipped.slice(0, maxNamedCharacters).join('')
  const more =
    skipped.length > maxNamedCharacters ? ` and ${skipped.length - maxNamedCharacters} more` : ''
  const message = `The voice ${voice.voice.voiceId} cannot say ${characters}${more}, and skips these characters`
  return [{ code: 'skipped-characters', message, characters }]
}

function otherLanguage(text: string, { voice, running, voiceList }: Speaker): SpeechWarning[] {
  const spoken = spokenLanguages(voice, running.engine)
  const language = findOtherLanguage(text)
  const maySpeak = spoken.some((code) => code === 'AUTO' || isSameLanguage(code, language ?? ''))
  if (!language || maySpeak) return []
  const advice = adviceForLanguage(language, voiceList.list())
  const message = `The text seems to be ${languageName(language)}, but the voice ${voice.voice.voiceId} speaks ${spoken.join(', ')}; ${advice}`
  return [{ code: 'other-language', message, language }]
}

/** Clients such as pipecat always ask for times, and can speak without them. */
function missingTimes({ lacksWordTimes, voice }: Speaker): SpeechWarning[] {
  if (!lacksWordTimes) return []
  const message = `The voice ${voice.voice.voiceId} does not report the times of words, so the speech has none`
  return [{ code: 'no-word-times', message }]
}
