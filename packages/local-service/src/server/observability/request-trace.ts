import type { Attributes, Context, Span, TextMapGetter } from '@opentelemetry/api'
import type { FinishedRequest } from './finished-request.ts'
import { attributeNames, spanNames } from './span-names.ts'

type Api = typeof import('@opentelemetry/api')

/** A span in which phrases are spoken. */
export interface SpeechTrace {
  /** Starts the span of a phrase, which waits for its turn. */
  startPhrase(phrase: PhraseFacts): PhraseTrace
}

/** The span of a request, and those of its texts and phrases. They contain no text and no key. */
export interface RequestTrace extends SpeechTrace {
  /** Calls the handlers of the request, whose own requests then continue the trace. */
  run<Result>(handle: () => Result): Result
  /** Starts the span of a text, for a socket, which has many of them. */
  startText(text: TextFacts): TextTrace
  end(finished: FinishedRequest): void
}

interface TextFacts {
  modelId: string
  voiceId: string
  /** UTF-16 code units. */
  characters: number
}

/** The span of a text on a socket. */
export interface TextTrace extends SpeechTrace {
  /** Counts audio that was made; the first one is an event. */
  addAudio(seconds: number): void
  /** @param hasFailed not if the caller has ended it. */
  end(hasFailed: boolean): void
}

interface PhraseFacts {
  engine: string
  /** UTF-16 code units. */
  characters: number
  /** Whether a listener is still waiting for the first sound. */
  isFirst: boolean
}

interface PhraseTrace {
  /** Ends the wait. */
  beginSpeaking(): void
  /** Ends the span when the phrase has been spoken, or has failed, which is no error after an abort. */
  endWith(spoken: Promise<void>, signal: AbortSignal): void
}

/** What `@opentelemetry/api` registers with. As long as nothing has registered, the package is not even loaded. */
const registered = Symbol.for('opentelemetry.js.api.1')

/**
 * Starts the span of a request, as a part of the trace that its header `traceparent` names.
 * @returns undefined where the process records no traces, or lacks `@opentelemetry/api`.
 */
export async function startRequestTrace(request: Request): Promise<RequestTrace | undefined> {
  if (!(registered in globalThis)) return undefined
  const api = await import('@opentelemetry/api').catch(() => undefined)
  return api && openRequestTrace(api, request)
}

function openRequestTrace(api: Api, { method, headers }: Request): RequestTrace {
  const startedAtMs = Date.now()
  const tracer = api.trace.getTracer(spanNames.tracer)
  const kind = api.SpanKind.SERVER
  const span = tracer.startSpan(method, { kind, startTime: startedAtMs }, parentOf(api, headers))
  const inSpan = api.trace.setSpan(api.context.active(), span)
  return {
    run: (handle) => api.context.with(inSpan, handle),
    startPhrase: (phrase) => startPhrase(api, phrase, inSpan),
    startText: (text) => startText(api, text, inSpan),
    end(finished) {
      const { method, route, status, speech } = finished
      span.updateName(route === 'none' ? method : `${method} ${route}`)
      span.setAttributes(attributesOf(finished))
      if (speech?.firstAudioMs !== undefined) {
        span.addEvent(spanNames.firstAudio, startedAtMs + speech.firstAudioMs)
      }
      // A fault of the caller is no error of a server: HTTP conventions.
      if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end()
    },
  }
}

const headerGetter: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: () => [],
}

/** The span of an instrumentation of HTTP that continues the same trace comes first. */
function parentOf({ ROOT_CONTEXT, context, propagation, trace }: Api, headers: Headers): Context {
  const sent = propagation.extract(ROOT_CONTEXT, headers, headerGetter)
  const active = context.active()
  const traceIdOf = (from: Context) => trace.getSpanContext(from)?.traceId
  return traceIdOf(active) === traceIdOf(sent) ? active : sent
}

function attributesOf(finished: FinishedRequest): Attributes {
  const { requestId, method, route, status, speech, transcription } = finished
  return {
    [attributeNames.requestId]: requestId,
    [attributeNames.method]: method,
    [attributeNames.status]: status,
    ...(route !== 'none' && { [attributeNames.route]: route }),
    ...(speech && {
      [attributeNames.outputType]: 'speech',
      [attributeNames.model]: speech.modelId,
      ...(speech.voiceId && { [attributeNames.voice]: speech.voiceId }),
      [attributeNames.characters]: speech.characters,
      [attributeNames.audioSeconds]: speech.audioSeconds,
    }),
    ...(transcription && {
      [attributeNames.model]: transcription.modelId,
      [attributeNames.transcribedSeconds]: transcription.seconds,
    }),
  }
}

function startText(
  api: Api,
  { modelId, voiceId, characters }: TextFacts,
  parent: Context,
): TextTrace {
  const attributes = {
    [attributeNames.outputType]: 'speech',
    [attributeNames.model]: modelId,
    [attributeNames.voice]: voiceId,
    [attributeNames.characters]: characters,
  }
  const tracer = api.trace.getTracer(spanNames.tracer)
  const span = tracer.startSpan(spanNames.text, { attributes }, parent)
  const inSpan = api.trace.setSpan(parent, span)
  let audioSeconds = 0
  return {
    startPhrase: (phrase) => startPhrase(api, phrase, inSpan),
    addAudio(seconds) {
      if (audioSeconds === 0) span.addEvent(spanNames.firstAudio)
      audioSeconds += seconds
    },
    end(hasFailed) {
      span.setAttribute(attributeNames.audioSeconds, audioSeconds)
      if (hasFailed) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end()
    },
  }
}

function startPhrase(
  api: Api,
  { engine, characters, isFirst }: PhraseFacts,
  parent: Context,
): PhraseTrace {
  const attributes = {
    [attributeNames.engine]: engine,
    [attributeNames.characters]: characters,
    [attributeNames.isFirstPhrase]: isFirst,
  }
  const tracer = api.trace.getTracer(spanNames.tracer)
  return openPhraseTrace(api, tracer.startSpan(spanNames.phrase, { attributes }, parent))
}

function openPhraseTrace({ SpanStatusCode }: Api, span: Span): PhraseTrace {
  return {
    beginSpeaking: () => void span.addEvent(spanNames.speaking),
    endWith(spoken, signal) {
      const fail = () => {
        if (!signal.aborted) span.setStatus({ code: SpanStatusCode.ERROR })
      }
      void spoken.catch(fail).finally(() => span.end())
    },
  }
}
