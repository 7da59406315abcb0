import { setTimeout as wait } from 'node:timers/promises'
import { type AppOptions, createApp } from './api/app/app.ts'
import type { Log } from './log.ts'
import { library } from './voices/library.ts'

// A request that arrives right after the start finds an idle thread.
const warmUpDelayMs = 500
const warmUpSentences = 12

// A statistical voice and the diphone voice. The code of the other statistical voices is the same, and their data is
// loaded in a few milliseconds when they first speak.
const warmUpVoices = ['slt', 'kal16']

/**
 * Loads the model of the voice that the owner has chosen, then speaks with two voices of Flite. The natural voice that speaks where
 * none is chosen is not loaded: it would add 50 MiB to the 140 MiB of an idle service, to save half a second of its first request.
 */
export async function warmUp(options: AppOptions, log: Log, signal: AbortSignal): Promise<void> {
  await wait(warmUpDelayMs, undefined, { ref: false, signal }).catch(() => {})
  if (signal.aborted) return
  await loadChosenVoice(options).catch((error: Error) => {
    if (!signal.aborted) log.warned(`The default voice is not loaded yet: ${error.message}`)
  })
  await speakAhead(options, signal)
}

async function loadChosenVoice({ voiceList, engines, defaultVoice }: AppOptions): Promise<void> {
  const chosen = voiceList.find(defaultVoice ?? '')
  if (chosen) await engines.get(chosen.engine)?.engine.load?.(chosen.engineVoice)
}

/**
 * Speaks with two voices of Flite, so that later requests find every module loaded and every hot function compiled. A
 * request that arrives meanwhile waits for at most one of these sentences.
 */
async function speakAhead(options: AppOptions, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  // Another app, so that the metrics and the log do not count these requests.
  const app = createApp(options)
  const text = 'Good morning, the coffee is ready. '.repeat(warmUpSentences)
  const unchanged = library.filter(({ imprint, engineVoice }) => {
    return !imprint && warmUpVoices.includes(engineVoice)
  })
  for (const [index, { voice }] of unchanged.entries()) {
    const audioConfig = { audioEncoding: index % 2 ? 'WAV' : 'MP3', sampleRateHertz: 24_000 }
    const request = { text, voiceId: voice.voiceId, modelId: 'svc-tts-2', audioConfig }
    const body = JSON.stringify(request)
    const response = await app.request('/tts/v1/voice:stream', { method: 'POST', body, signal })
    // The audio is not kept. The app reports a failure.
    await response.body?.pipeTo(new WritableStream()).catch(() => {})
    if (signal.aborted) return
  }
}
