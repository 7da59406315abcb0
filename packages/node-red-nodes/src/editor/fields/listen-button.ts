import { askService } from '../ask-admin.ts'
import { text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import { sampleSentence } from './language-names.ts'
import { playButton } from './play-button.ts'
import { playSound } from './play-sound.ts'
import { defaultVoice, listVoices } from './voice-choices.ts'

export interface ListenButtonOptions {
  service(): ServiceSettings | undefined
  /** The selected voice; empty: the default of the service. */
  voiceId(): string
  modelId?(): string
  /** What it says. Default: a sentence in the language of the voice. */
  text?(): string | undefined
  /** The selected language, by which the default voice is chosen; empty: that of Node-RED. */
  language?(): string
  /** Receives the reason if the audio cannot be played; empty clears it. */
  onProblem(problem: string): void
}

/** A button that plays a text with the selected voice; a second press stops it. */
export function listenButton(options: ListenButtonOptions): JQuery<HTMLElement> {
  return playButton({
    label: text('listen'),
    onProblem: options.onProblem,
    async play(signal, onSound) {
      const { audio, mediaType } = await speakSample(options, signal)
      signal.throwIfAborted()
      onSound()
      await playSound(`data:${mediaType};base64,${audio}`, signal)
    },
  })
}

async function speakSample(options: ListenButtonOptions, signal: AbortSignal) {
  const service = options.service()
  if (!service) throw new Error(text('no-service'))
  const chosen = options.voiceId() || service.voice
  // A key may allow speech but not the list of voices; then the user must enter a voice.
  const voices = await listVoices(service).catch((error: Error) => {
    if (!chosen) throw error
    return []
  })
  const voice = chosen
    ? voices.find(({ voiceId }) => voiceId === chosen)
    : defaultVoice(voices, options.language?.())
  const voiceId = chosen || voice?.voiceId
  if (!voiceId) throw new Error(text('empty-list'))
  const modelId = options.modelId?.() || service.model
  const request = {
    service,
    voiceId,
    modelId,
    text: options.text?.() ?? sampleSentence(voice?.langCode),
  }
  return askService<{ audio: string; mediaType: string }>('listen', request, signal)
}
