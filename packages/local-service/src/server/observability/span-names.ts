/**
 * All names in traces. Those of HTTP are stable conventions. Those of `gen_ai` are in development, and nothing for speech is
 * stable, so a release may change these names, and they are only here.
 * https://github.com/open-telemetry/semantic-conventions-genai, https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export const spanNames = {
  tracer: 'parlando',
  text: 'speak text',
  phrase: 'speak phrase',
  firstAudio: 'parlando.first_audio',
  speaking: 'parlando.speaking',
} as const

export const attributeNames = {
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  outputType: 'gen_ai.output.type',
  model: 'gen_ai.request.model',
  requestId: 'parlando.request_id',
  voice: 'parlando.voice',
  engine: 'parlando.engine',
  characters: 'parlando.characters',
  audioSeconds: 'parlando.audio_seconds',
  transcribedSeconds: 'parlando.transcribed_seconds',
  isFirstPhrase: 'parlando.phrase.is_first',
} as const
