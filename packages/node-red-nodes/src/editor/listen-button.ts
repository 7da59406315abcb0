import { askService } from './ask-admin.ts'
import { sampleSentence } from './language-names.ts'
import { text } from './red.ts'
import type { ServiceSettings } from './service-settings.ts'
import { defaultVoice, listVoices } from './voice-choices.ts'

export interface ListenButtonOptions {
  service(): ServiceSettings | undefined
  /** The selected voice; empty: the default of the service. */
  voiceId(): string
  modelId?(): string
  /** The selected language, by which the default voice is chosen; empty: that of Node-RED. */
  language?(): string
  /** Receives the reason if the audio cannot be played; empty clears it. */
  onProblem(problem: string): void
}

/** A button that plays a sentence with the selected voice; a second press stops it. */
export function listenButton(options: ListenButtonOptions): JQuery<HTMLElement> {
  const icon = $('<i class="fa fa-play" aria-hidden="true"></i>')
  const words = $('<span></span>')
  const button = $('<button type="button" class="red-ui-button parlando-listen"></button>')
  button.append(icon, ' ', words)
  const label = (key: string, iconName: string) => {
    words.text(text(key))
    icon.attr('class', `fa ${iconName}`)
  }
  label('listen', 'fa-play')

  let listening: AbortController | undefined
  const stop = () => {
    listening?.abort()
    listening = undefined
    label('listen', 'fa-play')
  }

  button.on('click', async () => {
    if (listening) return stop()
    const mine = new AbortController()
    listening = mine
    options.onProblem('')
    label('stop', 'fa-spinner fa-spin')
    try {
      const { audio, mediaType } = await speakSample(options, mine.signal)
      if (mine.signal.aborted) return
      label('stop', 'fa-stop')
      await play(`data:${mediaType};base64,${audio}`, mine.signal)
    } catch (error) {
      if (!mine.signal.aborted) options.onProblem((error as Error).message)
    }
    if (listening === mine) stop()
  })
  // The form is closed.
  button.on('remove', stop)
  return button
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
  const request = { service, voiceId, modelId, text: sampleSentence(voice?.langCode) }
  return askService<{ audio: string; mediaType: string }>('listen', request, signal)
}

/** Plays to the end. @throws an Error if the browser cannot play it. */
function play(url: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const audio = new Audio(url)
    signal.addEventListener('abort', () => {
      audio.pause()
      resolve()
    })
    audio.onended = () => resolve()
    audio.onerror = () => reject(new Error(text('not-playable')))
    audio.play().catch(() => reject(new Error(text('not-playable'))))
  })
}
