import type { z } from 'zod'
import type { Call } from '../../http/client-options.ts'
import { parseInput } from '../../parse-input.ts'
import {
  type WakeWordModel,
  wakeWordConfigSchema,
  wakeWordModelListSchema,
  wakeWordResponseSchema,
} from '../../wire/wake-word.ts'
import { type AudioStream, openAudioStream } from '../audio-stream.ts'
import type { EndpointContext } from '../response-source.ts'
import { type MessageSource, parseResult } from '../socket-message.ts'

/** Which wake words to find. */
export interface WakeWordStreamConfig {
  /** A model of `listWakeWordModels`. Default: the first one that finds all phrases. */
  modelId?: string
  /** Up to 10. Default: those of the model, if it has phrases of its own. */
  phrases?: string[]
  /** 0 to 1: a higher value misses fewer wake words, and finds more that nobody said. Default 0.5. */
  sensitivity?: number
  /** The service ends the stream after this time without audio. Default: the limit of the service. */
  inactivityTimeoutSeconds?: number
}

/** Something that the service reports about a stream. */
export type WakeWordEvent =
  /** The first event: the service waits for these phrases. */
  | {
      type: 'waiting'
      modelId: string
      phrases: readonly string[]
      /** Whether the model misses more wake words, and finds more that nobody said, than people accept in daily use. */
      isRough: boolean
    }
  /** Somebody has said a phrase. It ends at `endMs` from the start of the stream. */
  | {
      type: 'detection'
      phrase: string
      score?: number
      endMs: number
      /** Whether this stream was the first one of the service to find it. Of several microphones that hear the same, one responds. */
      isFirst: boolean
    }
  /** A result that this version does not know, unchanged. */
  | { type: 'unknown'; result: Readonly<Record<string, unknown>> }

/** Audio in which the service finds wake words. The audio has 16 kHz. */
export type WakeWordAudioStream = AudioStream<WakeWordEvent>

/** The wake word models of a service, in its order. */
export interface WakeWordModelList {
  models: WakeWordModel[]
  requestId: string
}

/** Opens the socket `/stt/v1/wakeWords:streamBidirectional`. @throws {InputError} at once if the config is not valid. */
export function findWakeWords(
  { transport }: EndpointContext,
  config: WakeWordStreamConfig | undefined,
  call: Call,
): WakeWordAudioStream {
  const settings = parseInput(wakeWordConfigSchema, config ?? {}, 'Wake word config')
  return openAudioStream({
    transport,
    call,
    path: '/stt/v1/wakeWords:streamBidirectional',
    config: { wakeWordConfig: settings },
    readEvents,
    isLast: () => false,
    what: 'wake word',
  })
}

/** `GET /stt/v1/wakeWordModels`. An extension of the local service. */
export async function listWakeWordModels(
  { transport }: EndpointContext,
  _: undefined,
  call: Call,
): Promise<WakeWordModelList> {
  const request = { method: 'GET', path: '/stt/v1/wakeWordModels' } as const
  const { data, requestId } = await transport.sendForJson(wakeWordModelListSchema, request, call)
  return { models: data.models ?? [], requestId }
}

function readEvents(message: string, source: MessageSource): readonly WakeWordEvent[] {
  const { result, json } = parseResult(wakeWordResponseSchema, message, source)
  const events = result ? [...readResult(result)] : []
  const unknown = result ?? (json as Readonly<Record<string, unknown>>)
  return events.length > 0 ? events : [{ type: 'unknown', result: unknown }]
}

type Result = NonNullable<z.output<typeof wakeWordResponseSchema>['result']>

function* readResult({ waiting, detection }: Result): Generator<WakeWordEvent, void> {
  if (waiting) {
    const { modelId, phrases, isRough } = waiting
    yield { type: 'waiting', modelId, phrases, isRough: isRough === true }
  }
  if (detection) {
    const { phrase, score, endTimeMs: endMs } = detection
    const isFirst = detection.isFirst !== false
    yield { type: 'detection', phrase, endMs, isFirst, ...(typeof score === 'number' && { score }) }
  }
}
