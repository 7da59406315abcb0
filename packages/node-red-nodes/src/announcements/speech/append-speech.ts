import type { SpeechRequest, SpeechWarning } from '@parlando/core'
import type { ServiceCall, SpeakingOptions, SpeechService } from '../../runtime/speech-service.ts'
import type { GrowingSound } from '../../sounds/sound.ts'

export interface SpeechTarget {
  sound: GrowingSound
  call: ServiceCall
  options: Omit<SpeakingOptions, 'isAnnouncement'>
  /** Called before the first audio. What it throws ends the speech, of which nothing is heard then. */
  check?(warnings: readonly SpeechWarning[]): void
}

/** Appends the speech to a sound while it arrives. @returns its warnings. */
export async function appendSpeech(
  service: SpeechService,
  request: SpeechRequest,
  { sound, call, options, check = () => {} }: SpeechTarget,
): Promise<readonly SpeechWarning[]> {
  const speech = await service.speak(request, call, { ...options, isAnnouncement: true })
  let isFirst = true
  try {
    for await (const { audio, timestamps } of speech) {
      if (isFirst) check(speech.warnings)
      isFirst = false
      if (timestamps) sound.addWords(timestamps.words)
      sound.append(audio)
      await sound.room(call.signal)
    }
  } catch (error) {
    service.noteFailure(error)
    throw error
  }
  return speech.warnings
}
