import {
  type AudioEncoding,
  type RealtimeFormat,
  type RealtimeSession,
  type RealtimeTool,
  type RealtimeTurnDetection,
  sampleRatesHertz,
} from '@parlando/core/wire'
import { endsTurnsItself } from '../requests/model-names.ts'
import { SessionError } from './server-events.ts'

/** `transcription`: the session only transcribes, and nobody responds. */
export type SessionType = NonNullable<RealtimeSession['type']>

/** All settings of a session, with the names of the OpenAI API. */
export interface SessionSettings {
  type: SessionType
  id: string
  model: string
  instructions: string
  output_modalities: ('audio' | 'text')[]
  audio: {
    input: {
      format: Format
      noise_reduction: null
      transcription: InputTranscription | null
      turn_detection: TurnDetection | null
    }
    output: SpeechOutput
  }
  tools: RealtimeTool[]
  tool_choice: NonNullable<RealtimeSession['tool_choice']>
  temperature: number | null
  max_output_tokens: number | 'inf'
  truncation: 'auto'
  tracing: null
  prompt: null
  include: null
}

export interface Format {
  type: RealtimeFormat
  rate: (typeof sampleRatesHertz)[number]
}

export interface SpeechOutput {
  format: Format
  model: string
  voice: string
  speed: number
}

type InputUpdate = NonNullable<NonNullable<RealtimeSession['audio']>['input']>

export type InputTranscription = NonNullable<InputUpdate['transcription']>

/** The settings of voice activity detection, without gaps: clients decide by them whether they interrupt themselves. */
export type TurnDetection = TurnActions &
  (
    | {
        type: 'server_vad'
        threshold: number
        prefix_padding_ms: number
        silence_duration_ms: number
        idle_timeout_ms: number | null
      }
    | { type: 'semantic_vad'; eagerness: 'low' | 'medium' | 'high' | 'auto' }
  )

interface TurnActions {
  create_response: boolean
  interrupt_response: boolean
}

/** The encodings of the service, by the names of the OpenAI API. */
export const encodingOf = {
  'audio/pcm': 'PCM',
  'audio/pcmu': 'MULAW',
  'audio/pcma': 'ALAW',
} as const satisfies Record<RealtimeFormat, AudioEncoding>

/** The default is that of the OpenAI API. */
const defaultRates: Readonly<Record<RealtimeFormat, Format['rate']>> = {
  'audio/pcm': 24_000,
  'audio/pcmu': 8000,
  'audio/pcma': 8000,
}

/** pipecat wants the rate of its own pipeline. */
const rates: Readonly<Record<RealtimeFormat, readonly Format['rate'][]>> = {
  'audio/pcm': sampleRatesHertz,
  'audio/pcmu': [8000],
  'audio/pcma': [8000],
}

export function defaultSettings(given: {
  type: SessionType
  id: string
  model: string
  voice: string
}): SessionSettings {
  const { type, id, model, voice } = given
  const format = (): Format => ({ type: 'audio/pcm', rate: defaultRates['audio/pcm'] })
  return {
    type,
    id,
    model,
    instructions: '',
    output_modalities: ['audio'],
    audio: {
      input: {
        format: format(),
        noise_reduction: null,
        transcription: type === 'transcription' ? {} : null,
        turn_detection: completeTurnDetection({ type: 'server_vad' }),
      },
      // The model with the shortest first phrase: the user is waiting.
      output: { format: format(), model: 'svc-tts-2-flash', voice, speed: 1 },
    },
    tools: [],
    tool_choice: 'auto',
    temperature: null,
    max_output_tokens: 'inf',
    truncation: 'auto',
    tracing: null,
    prompt: null,
    include: null,
  }
}

/** @returns the settings as the client receives them: only those that concern the type of the session. */
export function describeSettings({ type, id, audio, ...others }: SessionSettings) {
  if (type === 'realtime') return { type, object: 'realtime.session', id, audio, ...others }
  const { input } = audio
  return { type, object: 'realtime.transcription_session', id, audio: { input }, include: null }
}

/**
 * Applies an update. Absent fields keep their value. Fields without a meaning here, such as `tracing` and
 * `noise_reduction`, stay `null`, so that the client can see that they have no effect.
 * @throws {SessionError} for a sample rate that the format does not have, and for another type of session.
 */
export function mergeSettings(settings: SessionSettings, update: RealtimeSession): SessionSettings {
  rejectOtherType(settings, update)
  const { input = {}, output } = update.audio ?? {}
  const { transcription } = input
  const turnDetection = chosenTurnDetection(settings, input)
  const old = settings.audio.input
  return {
    ...settings,
    instructions: update.instructions ?? settings.instructions,
    output_modalities: update.output_modalities ?? settings.output_modalities,
    audio: {
      input: {
        ...old,
        format: input.format ? completeFormat(input.format, 'input') : old.format,
        transcription:
          transcription === undefined ? old.transcription : completeTranscription(transcription),
        turn_detection:
          turnDetection === undefined ? old.turn_detection : completeTurnDetection(turnDetection),
      },
      output: mergeOutput(settings.audio.output, output),
    },
    tools: update.tools ?? settings.tools,
    tool_choice: update.tool_choice ?? settings.tool_choice,
    temperature: update.temperature ?? settings.temperature,
    max_output_tokens: update.max_output_tokens ?? settings.max_output_tokens,
  }
}

function rejectOtherType({ type }: SessionSettings, update: RealtimeSession): void {
  if (update.type === undefined || update.type === type) return
  const message = `session.type: this session is of the type ${type}; /v1/realtime opens realtime sessions, and /v1/realtime?intent=transcription sessions that only transcribe`
  throw new SessionError('invalid_value', message, 'session.type')
}

/** @returns the turn detection of an update; undefined if it stays as it is. */
function chosenTurnDetection({ type }: SessionSettings, given: InputUpdate) {
  const { transcription, turn_detection: turnDetection } = given
  const isLeftOut = type === 'transcription' && turnDetection === undefined
  return isLeftOut && endsTurnsItself(transcription?.model) ? null : turnDetection
}

type OutputUpdate = NonNullable<RealtimeSession['audio']>['output']

/** @throws {SessionError} for a sample rate that the format does not have. */
export function mergeOutput(output: SpeechOutput, update: OutputUpdate): SpeechOutput {
  if (!update) return output
  const { format, model, speed } = update
  return {
    format: format ? completeFormat(format, 'output') : output.format,
    model: model ?? output.model,
    voice: voiceName(update) ?? output.voice,
    speed: speed ?? output.speed,
  }
}

/** The voice that the client has chosen, which it can also name by an object. */
export function voiceName(output: OutputUpdate): string | undefined {
  return typeof output?.voice === 'object' ? output.voice.id : output?.voice
}

function completeTranscription(given: InputTranscription | null): InputTranscription | null {
  const [language, ...others] = given?.languages ?? []
  const isKnown = given?.language !== undefined || language === undefined || others.length > 0
  return isKnown ? given : { ...given, language }
}

function completeFormat(
  { type, rate }: { type: RealtimeFormat; rate?: number | undefined },
  direction: 'input' | 'output',
): Format {
  const wanted = rate ?? defaultRates[type]
  const known = rates[type].find((one) => one === wanted)
  if (known) return { type, rate: known }
  const message = `session.audio.${direction}.format.rate: ${type} has ${rates[type].join(', ')} Hz, not ${rate}`
  throw new SessionError('invalid_value', message, `session.audio.${direction}.format.rate`)
}

function completeTurnDetection(given: RealtimeTurnDetection | null): TurnDetection | null {
  if (!given) return null
  const interruption = {
    create_response: given.create_response ?? true,
    interrupt_response: given.interrupt_response ?? true,
  }
  if (given.type === 'semantic_vad') {
    return { type: given.type, eagerness: given.eagerness ?? 'auto', ...interruption }
  }
  return {
    type: given.type,
    threshold: given.threshold ?? 0.5,
    prefix_padding_ms: given.prefix_padding_ms ?? 300,
    silence_duration_ms: given.silence_duration_ms ?? 500,
    idle_timeout_ms: given.idle_timeout_ms ?? null,
    ...interruption,
  }
}
