import type { Node, NodeAPI, NodeDef } from 'node-red'
import { writeSubtitles } from '../../captions/subtitles.ts'
import type { CommandSentence } from '../../recognition/command-sentences.ts'
import { readCompleteSilenceMs, readSilenceMs } from '../../recognition/end-of-turn-settings.ts'
import type { Recognised } from '../../recognition/recognised.ts'
import { type ListenRequest, transcribeLive } from '../../recognition/transcribe-live.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import type { BusyMode } from '../../runtime/runner.ts'
import { type ConnectedContext, handleMessages, withClient } from '../../runtime/work.ts'
import {
  createRecordingCollector,
  type LiveAudio,
  type RecordedAudio,
} from '../../sounds/to-recognise/recording-collector.ts'
import { type ListenOutput, type ListenOutputSettings, listenOutputs } from './listen-outputs.ts'
import { clearResults, type ListenMessage, writeText } from './transcript-message.ts'
import {
  type ListenSettings,
  readSentences,
  readTranscriptionRequest,
} from './transcription-request.ts'

interface ListenDef
  extends NodeDef,
    ListenSettings,
    Pick<ListenOutputSettings, 'interim' | 'speech'> {
  service: string
  busy: BusyMode
}

function register(RED: NodeAPI): void {
  function Listen(this: Node, config: ListenDef) {
    RED.nodes.createNode(this, config)
    const collector = createRecordingCollector(RED)

    handleMessages<ListenMessage>(RED, this, {
      busy: config.busy,
      service: config.service,
      takeAtOnce(message) {
        if ((message as { stop?: unknown }).stop === true) collector.stop()
        return collector.takeChunk(message)
      },
      run: withClient(async (message, context) => {
        const job = { RED, config, message, context, ...readJob(RED, config, message) }
        const audio = collector.open(message, {
          signal: context.signal,
          // The times of subtitles begin with the recording, not with a turn.
          isWhole: config.output === 'subtitles',
        })
        if (audio.kind === 'live') await listenLive(job, audio)
        else await transcribeRecording(job, audio)
      }),
      // This includes a recording that is rejected because too many wait.
      ended: (message) => collector.close(message),
    })

    this.on('close', () => collector.stop())
  }
  RED.nodes.registerType('parlando-listen', Listen)
}

/** The work for one recording, or for one sequence of chunks. */
interface Job {
  RED: NodeAPI
  config: ListenDef
  /** The message that began it. It stays unchanged until its end, so that Catch receives the original after a failure. */
  message: ListenMessage
  request: ListenRequest
  /** The sentences that may be understood, and no others. */
  sentences: readonly CommandSentence[] | undefined
  context: ConnectedContext<ListenMessage>
}

function readJob(RED: NodeAPI, config: ListenDef, message: ListenMessage) {
  const sentences = config.output === 'sentences' ? readSentences(RED, config, message) : undefined
  const texts = sentences?.map(({ sentence }) => sentence)
  return {
    sentences,
    request: {
      ...readTranscriptionRequest(RED, config, message),
      ...(texts && { sentences: texts }),
    },
  }
}

async function transcribeRecording(job: Job, { audio }: RecordedAudio): Promise<void> {
  const { RED, config, message, request, context } = job
  const { client, signal, status } = context
  const startedAt = performance.now()
  status.working(() => RED._('listen.status.recognising'))
  const call = { signal, onRetry: () => status.retrying() }
  const {
    requestId: _id,
    usage: _usage,
    ...recognised
  } = await client.transcribe({ ...request, audio }, call)
  if (config.output === 'subtitles' && recognised.text !== '' && !recognised.words) {
    throw new NodeInputError(RED._('listen.error.no-times'))
  }
  sendText(job, message, recognised, performance.now() - startedAt)
}

async function listenLive(job: Job, audio: LiveAudio): Promise<void> {
  const { RED, config, message, context } = job
  const { client, signal, status } = context
  const silences = {
    silenceMs: readSilenceMs(config),
    completeSilenceMs: readCompleteSilenceMs(config),
  }
  const request = { ...job.request, ...silences }
  const call = { signal, onRetry: () => status.retrying() }
  const nextMessage = (properties: object) => {
    const next = RED.util.cloneMessage({ ...message, payload: undefined })
    clearResults(next)
    return Object.assign(next, properties)
  }

  status.conclude(RED._('listen.status.silent'))
  const heard = transcribeLive(client, {
    request,
    audio,
    call,
    onProgress: (progress) => status.working(() => RED._(`listen.status.${progress}`)),
  })
  const sendSpeech = (isSpeaking: boolean, speech: ListenMessage['speech']) =>
    sendTo(job, 'speech', nextMessage({ payload: isSpeaking, speech }))
  for await (const { event, tookMs } of heard) {
    if (event.type === 'final') {
      const { type: _type, ...recognised } = event
      // A service may end a turn in which it recognised no word.
      if (recognised.text) sendText(job, nextMessage({}), recognised, tookMs)
    } else if (event.type === 'interim') {
      sendTo(job, 'interim', nextMessage({ payload: event.text }))
    } else if (event.type === 'speechStarted') {
      sendSpeech(true, { startSeconds: event.startMs / 1000 })
    } else if (event.type === 'speechStopped') {
      sendSpeech(false, { silenceMs: event.silenceMs })
    }
  }
}

/** Sends what was recognised, and shows how long it took. The status never contains the words. */
function sendText(job: Job, next: ListenMessage, recognised: Recognised, tookMs: number): void {
  const { RED, config, sentences, context } = job
  const { output, message } = writeText(next, recognised, tookMs, sentences)
  if (config.output === 'subtitles') message.payload = writeSubtitles(recognised.words ?? [])
  const took = Math.round(tookMs)
  const characters = recognised.text.length
  const key = sentences ? 'understood' : characters > 0 ? 'heard' : 'silent'
  context.status.conclude(RED._(`listen.status.${key}`, { characters, took }))
  context.status.warn(output === 'text' ? '' : RED._('listen.status.not-understood'))
  sendTo(job, output, message)
}

/** Sends a message on one of the outputs, if the node has it. */
function sendTo({ config, context }: Job, output: ListenOutput, message: ListenMessage): void {
  const outputs = listenOutputs(config)
  if (outputs.includes(output)) {
    context.send(outputs.map((one) => (one === output ? message : null)))
  }
}

export = register
