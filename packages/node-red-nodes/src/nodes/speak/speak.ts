import { join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import { AfterDeploy } from '../../runtime/after-deploy.ts'
import { findService } from '../../runtime/find-service.ts'
import { handleClose } from '../../runtime/input.ts'
import { onRemoval } from '../../runtime/removed-nodes.ts'
import {
  type CompleteSpeechRequest,
  defaultVoice,
  readSpeechRequest,
} from '../../runtime/speech/speech-request.ts'
import { readSpeechText } from '../../runtime/speech/speech-text.ts'
import type { ServiceCall, Speech } from '../../runtime/speech-service.ts'
import type { WorkStatus } from '../../runtime/status.ts'
import { sharedKey } from '../../runtime/texts.ts'
import { handleMessages, type WorkContext } from '../../runtime/work.ts'
import { createSavedList } from '../../saved/saved-list.ts'
import { findChunkProblem } from '../../sounds/chunk-problem.ts'
import { untilWanted } from '../../sounds/to-play/waiting-sounds.ts'
import type { AudioStats } from './audio-facts.ts'
import { isSequenceEnd, type SpeakMessage, silentPart } from './audio-messages.ts'
import { findForeignScript } from './foreign-script.ts'
import { isSavedLongText } from './long-texts/long-text.ts'
import { LongTexts } from './long-texts/long-texts.ts'
import { readParts, speakLongText } from './long-texts/speak-long-text.ts'
import { estimateProgress } from './progress.ts'
import { speakPart } from './speak-part.ts'
import type { SpeakDef, SpeakWork } from './speak-work.ts'
import { toMessages, warnOfBudget } from './spoken-text.ts'

/** A longer text that is wanted whole is a job of the service: nobody hears its first chunks before its last ones anyway. */
const maxStreamedCharacters = 4_000
/** Long texts of all nodes that go on after a restart. */
const maxSavedTexts = 50

/** What Node-RED's types leave out. */
type WiredNode = Node & { wires: string[][] }

function register(RED: NodeAPI): void {
  const store = createSavedList({
    path: join(RED.settings.userDir ?? '.', 'parlando', 'long-texts.json'),
    isEntry: isSavedLongText,
    maxEntries: maxSavedTexts,
    onError: ({ message }) => RED.log.warn(RED._('speak.error.not-saved', { reason: message })),
  })
  onRemoval(RED, ({ isDeleted }) => store.removeOf(isDeleted))
  const afterDeploy = new AfterDeploy(RED)

  function Speak(this: Node, config: SpeakDef) {
    RED.nodes.createNode(this, config)
    const longTexts = new LongTexts({
      node: this,
      store,
      findService: () => findService(RED, this, config.service),
      onProblem: (error) => this.warn((error as Error).message),
    })
    afterDeploy.follow(this, () => longTexts.start())
    // This handler is called before the one that aborts the work.
    handleClose(RED, this, async ({ isRemoved, isDeleted }) => {
      afterDeploy.leave(this, isRemoved)
      await longTexts.close(isDeleted)
    })
    handleMessages<SpeakMessage>(RED, this, {
      busy: config.busy,
      service: config.service,
      takeAtOnce: (message) => longTexts.obey(message),
      ended: (message) => longTexts.ended(message),
      run: (message, context) =>
        speakMessage(RED, { node: this, config, message, context }, longTexts),
    })
  }
  RED.nodes.registerType('parlando-speak', Speak)
}

async function speakMessage(RED: NodeAPI, work: SpeakWork, longTexts: LongTexts): Promise<void> {
  const { node, config, message, context } = work
  const { service, signal, send } = context
  const { output } = config
  const kept = longTexts.keptFor(message)
  if (kept) return speakLongText(RED, work, kept)
  const sequenceId = RED.util.generateId()
  const text = isSequenceEnd(message)
    ? ''
    : await readSpeechText({ RED, node, message, signal }, config)
  if (text === '') return send(silentPart({ message, output, sequenceId }))

  const sources = { text, form: config, message, defaults: service.defaults }
  const wanted = readSpeechRequest(RED, sources)
  // No function returns the request later: the options of a message may include `then`, for which `await` would wait.
  const voiceId = wanted.voiceId ?? (await defaultVoice(RED, service, wanted, callOf(context)))
  signal.throwIfAborted()
  const request = { ...wanted, voiceId }
  const isLong = output === 'whole' && text.length > maxStreamedCharacters && !message.parts
  if (!isLong) return speakText(RED, work, { request, sequenceId })
  const parts = await readParts(RED, work, text)
  return speakLongText(RED, work, longTexts.begin(message, request, parts))
}

function callOf({ signal, status }: WorkContext<SpeakMessage>): ServiceCall {
  return { signal, onRetry: () => status.retrying() }
}

interface RequestedText {
  request: CompleteSpeechRequest
  sequenceId: string
}

/** Speaks a text, whose sound is sent while it is made. */
async function speakText(RED: NodeAPI, work: SpeakWork, requested: RequestedText): Promise<void> {
  const { message, context } = work
  const { service, signal } = context
  const failed = new AbortController()
  const call = { ...callOf(context), signal: AbortSignal.any([signal, failed.signal]) }
  const stream = await service.speak(requested.request, call, {
    keep: message.keep !== false,
    ...(message.parts && { make: (client, made) => speakPart(client, requested.request, made) }),
  })
  try {
    await sendSpeech(RED, work, { ...requested, stream })
  } catch (error) {
    // Speech that nobody has begun to read would keep its budget.
    failed.abort(error)
    service.noteFailure(error)
    throw error
  }
}

/** Reads the speech, and shows what is unexpected about it. */
async function sendSpeech(
  RED: NodeAPI,
  work: SpeakWork,
  { request, sequenceId, stream }: RequestedText & { stream: Speech },
): Promise<void> {
  const { node, config, message, context } = work
  const { service, signal, status } = context
  warnOfBudget(RED, context)
  const call = { ...callOf(context), isKept: stream.isKept }
  const foreign = await findForeignScript(service, request, call)
  if (foreign) status.warn(sharedKey('status.foreign-script'))
  // The connection of speech that is not read for minutes may be closed.
  await untilWanted(message.parts?.id, signal)
  const steps = toMessages(RED, work, { stream, request, foreign, sequenceId })
  if (config.output !== 'whole') warnOfChunks(RED, node, status)
  await sendSteps(RED, context, { steps, sequenceId, characters: request.text.length })
}

/** Shows it if a node behind this one needs all the audio at once. */
function warnOfChunks(RED: NodeAPI, node: Node, status: WorkStatus): void {
  const find = (id: string) => (RED.nodes.getNode(id) as WiredNode | null) ?? []
  const next = (node: Node) => (node as WiredNode).wires.flat().flatMap(find)
  const found = findChunkProblem(next(node), next)
  if (found) status.warn(sharedKey(`whole-audio.${found.problem}`))
}

/** Sends the messages of a text as they are made, and shows the progress. */
async function sendSteps(
  RED: NodeAPI,
  { send, signal, status }: WorkContext<SpeakMessage>,
  speech: { steps: ReturnType<typeof toMessages>; sequenceId: string; characters: number },
): Promise<void> {
  const startedAt = performance.now()
  let chunks = 0
  for await (const { message, audio } of speech.steps) {
    if (message) send(message)
    await untilWanted(speech.sequenceId, signal)
    chunks += 1
    const elapsedMs = performance.now() - startedAt
    status.working(() => {
      const progress = estimateProgress(audio, speech.characters, elapsedMs)
      return progress
        ? RED._('speak.status.speaking-long', { ...progress })
        : RED._('speak.status.speaking', { chunks })
    })
    status.conclude(summary(RED, audio))
  }
}

/** The length of the audio, and the time until its first chunk. */
function summary(RED: NodeAPI, { durationSeconds, firstAudioMs, bytes }: AudioStats): string {
  const key = durationSeconds === undefined ? 'speak.status.spoke-bytes' : 'speak.status.spoke'
  return RED._(key, {
    seconds: durationSeconds?.toFixed(1) ?? '',
    kilobytes: Math.ceil(bytes / 1024),
    first: Math.round(firstAudioMs ?? 0),
  })
}

export = register
