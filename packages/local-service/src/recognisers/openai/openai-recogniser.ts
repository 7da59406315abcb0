import { writeWavHeader } from '@parlando/core/audio'
import { languageOf } from '@parlando/core/text'
import { onAbort } from '../../concurrency/abort-signals.ts'
import { readBaseUrl, readKey, readText } from '../../config/option.ts'
import { EngineError } from '../../errors/engine-error.ts'
import { createUtteranceSlots } from '../listening-slots.ts'
import {
  defineRecogniser,
  limitUtterance,
  type Recogniser,
  type RecogniserModel,
  type RecognitionRequest,
  recogniserRateHertz,
} from '../recogniser.ts'
import { createModelList } from './remote-models.ts'
import { createTranscriptionServer, type UpstreamOptions } from './transcription-server.ts'

export interface UpstreamRecogniserOptions extends UpstreamOptions {
  /** The only model to offer. Default: the models that the server lists. */
  model?: string
}

const maxOpenUtterances = 64
const maxConcurrentRequests = 4

/** A server of the OpenAI API. It receives each utterance as a WAV file when the utterance ends. */
export async function createUpstreamRecogniser(
  options: UpstreamRecogniserOptions,
): Promise<Recogniser> {
  const server = createTranscriptionServer(options)
  const models = createModelList(server, options.model)
  await models.refresh()
  const closing = new AbortController()
  const utterances = createUtteranceSlots(maxOpenUtterances, 0)
  const requests = createUtteranceSlots(maxConcurrentRequests, maxOpenUtterances)

  const transcribe = async (pcm: Uint8Array, request: RecognitionRequest) => {
    const signal = AbortSignal.any([request.signal, closing.signal])
    const releaseRequest = await requests.acquire(signal)
    try {
      const model = models.nameOf(request.modelId)
      return await server.transcribe({ ...toServerRequest(pcm, request), model, signal })
    } finally {
      releaseRequest()
    }
  }

  return {
    name: 'upstream',
    get models() {
      return models.list().map(toModel)
    },
    async open(request) {
      const { signal } = request
      const release = await utterances.acquire(signal)
      onAbort(signal, release)
      const buffer = createUtteranceBuffer()
      return {
        async write(samples) {
          signal.throwIfAborted()
          buffer.push(samples)
        },
        async end() {
          try {
            return await transcribe(buffer.toBytes(), request)
          } catch (error) {
            signal.throwIfAborted()
            if (!closing.signal.aborted) throw error
            throw new EngineError('unavailable', 'The service is stopping')
          } finally {
            signal.removeEventListener('abort', release)
            release()
          }
        },
      }
    },
    async close() {
      closing.abort()
      models.close()
    },
  }
}

/** The request for an utterance, without its model. */
function toServerRequest(pcm: Uint8Array, { language, prompts, withWords }: RecognitionRequest) {
  const format = { sampleRateHertz: recogniserRateHertz, dataBytes: pcm.length }
  return {
    wav: Buffer.concat([writeWavHeader(format), pcm]),
    language: language && !/^auto/i.test(language) ? languageOf(language) : undefined,
    prompt: prompts?.join(', '),
    withWords,
  }
}

function toModel(name: string): RecogniserModel {
  return {
    modelId: `upstream/${name}`,
    displayName: name,
    // The English models of Whisper, such as base.en.
    langCodes: /\.en$/.test(name) ? ['EN_US'] : [],
    hasInterimResults: false,
    timesWords: true,
    matchesSentences: false,
  }
}

/** A server of the OpenAI API that recognises speech, such as whisper.cpp, speaches, LocalAI or vLLM. */
export const upstream = defineRecogniser({
  name: 'upstream',
  options: {
    transcriptionUpstream: {
      placeholder: 'URL',
      help: 'base URL of an OpenAI-compatible API that recognises speech, such as http://127.0.0.1:8000/v1',
      read: readBaseUrl,
    },
    transcriptionUpstreamKey: {
      placeholder: 'KEY',
      help: 'key for the transcription upstream',
      read: readKey,
      isSecret: true,
    },
    transcriptionUpstreamModel: {
      placeholder: 'NAME',
      help: 'model of the transcription upstream',
      read: readText,
      shownDefault: 'its models whose names say that they recognise speech',
    },
  },
  start({ options }) {
    const { transcriptionUpstream: baseUrl, transcriptionUpstreamKey: apiKey } = options
    const { transcriptionUpstreamModel: model } = options
    return baseUrl ? createUpstreamRecogniser({ baseUrl, apiKey, model }) : undefined
  },
})

/** The samples of an utterance, for a recogniser that takes them in one piece. */
interface UtteranceBuffer {
  /** @throws {EngineError} if the utterance is too long. */
  push(samples: Int16Array): void
  /** @returns all samples as 16-bit little-endian PCM. */
  toBytes(): Uint8Array
}

function createUtteranceBuffer(): UtteranceBuffer {
  const pieces: Buffer[] = []
  let length = 0
  return {
    push(samples) {
      length += samples.length
      limitUtterance(length)
      // A copy, because the caller may reuse its memory.
      pieces.push(toBytes(samples))
    },
    toBytes: () => Buffer.concat(pieces),
  }
}

function toBytes({ buffer, byteOffset, byteLength }: Int16Array): Buffer {
  return Buffer.from(new Uint8Array(buffer, byteOffset, byteLength))
}
