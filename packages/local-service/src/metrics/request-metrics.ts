import type { Registry } from 'prom-client'
import type { FinishedRequest } from '../server/observability/finished-request.ts'

/** Buckets. Listeners notice about 200 ms; the first audio of a short text takes about 20 ms. */
const firstAudioSeconds = [0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2, 5, 10]

/** Adds the metrics of requests. @returns counts a finished request. */
export function addRequestMetrics(
  { Counter, Histogram }: typeof import('prom-client'),
  registry: Registry,
): (finished: FinishedRequest) => void {
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `parlando_${name}_total`, help, labelNames, registers })
  const requests = counter(
    'requests',
    'Finished requests, by route and HTTP status',
    'method',
    'route',
    'status',
  )
  const firstAudio = new Histogram({
    name: 'parlando_first_audio_seconds',
    help: 'Time from the arrival of a request to its first encoded audio, by model',
    labelNames: ['model'],
    buckets: firstAudioSeconds,
    registers,
  })
  const audio = counter('audio_seconds', 'Seconds of audio produced, by model', 'model')
  const characters = counter('characters', 'Characters of requested text, by model', 'model')
  const transcribed = counter(
    'transcribed_seconds',
    'Seconds of audio transcribed, by model',
    'model',
  )
  const transcriptions = counter('transcriptions', 'Transcribed recordings, by model', 'model')
  const ignoredFields = counter(
    'ignored_fields',
    'Fields of requests that the service ignored, by route',
    'route',
  )
  return ({ method, route, status, speech, transcription, ignored }) => {
    requests.inc({ method, route, status })
    if (ignored) ignoredFields.inc({ route }, ignored.length)
    if (transcription) {
      transcriptions.inc({ model: transcription.modelId })
      transcribed.inc({ model: transcription.modelId }, transcription.seconds)
    }
    if (!speech) return
    const model = speech.modelId
    characters.inc({ model }, speech.characters)
    audio.inc({ model }, speech.audioSeconds)
    if (speech.firstAudioMs !== undefined) firstAudio.observe({ model }, speech.firstAudioMs / 1000)
  }
}
