import { join } from 'node:path'
import type { AudioChapter } from '@parlando/core/audio'
import { foreignScript, speakableText } from '@parlando/core/text'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { AfterDeploy } from '../../runtime/after-deploy.ts'
import type { ServiceCall, SpeechService } from '../../runtime/find-service.ts'
import { handleClose } from '../../runtime/input.ts'
import type { BusyMode } from '../../runtime/runner.ts'
import { createSavedList } from '../../runtime/saved-list.ts'
import type { Speech } from '../../runtime/speech.ts'
import {
  defaultVoice,
  readSpeechRequest,
  readSpeechText,
  type SpeechSettings,
  warningText,
} from '../../runtime/speech-request.ts'
import type { WorkStatus } from '../../runtime/status.ts'
import { sharedKey } from '../../runtime/texts.ts'
import { handleMessages, type WorkTools } from '../../runtime/work.ts'
import { findChunkProblem } from '../../shared/whole-audio.ts'
import { untilWanted } from '../../sounds/waiting-sounds.ts'
import {
  type AudioStats,
  isSequenceEnd,
  type SpeakMessage,
  type SpeakOptions,
  silentPart,
  speechMessages,
} from './audio-messages.ts'
import { type LongProgress, speakLong } from './long-speech.ts'
import { isSavedLongText, type LongText, LongTexts } from './long-texts.ts'
import { durationText, estimateProgress, ProgressEstimate, percentOf } from './progress.ts'
import { speakPart } from './speak-part.ts'
import { cutIntoParts } from './text-parts.ts'

interface SpeakDef extends NodeDef, SpeechSettings {
  service: string
  output: SpeakOptions['output']
  busy: BusyMode
}

/** Of the budget of the service, from which on the status shows it. */
const noticeShare = 0.8

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
  const afterDeploy = new AfterDeploy(RED)

  function Speak(this: Node, config: SpeakDef) {
    RED.nodes.createNode(this, config)
    const longTexts = new LongTexts({
      node: this,
      store,
      onProblem: (error) => this.warn((error as Error).message),
    })
    afterDeploy.follow(this, () => longTexts.start())
    // Before the work is aborted.
    handleClose(this, async (isRemoved) => {
      afterDeploy.leave(this, isRemoved)
      longTexts.close(isRemoved)
    })
    handleMessages<SpeakMessage>(RED, this, {
      busy: config.busy,
      service: config.service,
      takeAtOnce: (message) => longTexts.obey(message),
      run: (message, tools) => speakMessage(RED, { node: this, config, message, tools, longTexts }),
    })
  }
  RED.nodes.registerType('parlando-speak', Speak)
}

interface SpeakWork {
  node: Node
  config: SpeakDef
  message: SpeakMessage
  tools: WorkTools<SpeakMessage>
  longTexts: LongTexts
}

async function speakMessage(RED: NodeAPI, work: SpeakWork): Promise<void> {
  const { node, config, message, tools, longTexts } = work
  const { service, signal, status, send } = tools
  const { output } = config
  const kept = longTexts.keptFor(message)
  if (kept) return speakLongText(RED, work, kept)
  const sequenceId = RED.util.generateId()
  const text = isSequenceEnd(message)
    ? ''
    : await readSpeechText({ RED, node, message, signal }, config)
  if (text === '') return send(silentPart({ message, output, sequenceId }))

  const call = { signal, onRetry: () => status.retrying() }
  const wanted = readSpeechRequest(RED, {
    text,
    form: config,
    message,
    defaults: service.defaults,
  })
  const voiceId = wanted.voiceId ?? (await defaultVoice(RED, service, wanted, call))
  signal.throwIfAborted()
  const request = { ...wanted, voiceId }
  const isLong = output === 'whole' && text.length > maxStreamedCharacters && !message.parts
  if (isLong) {
    const parts = await readParts(RED, work, text)
    return speakLongText(RED, work, longTexts.begin(message, request, parts))
  }
  const stream = await service.speak(request, {
    ...call,
    keep: message.keep !== false,
    ...(message.parts && { make: (client, made) => speakPart(client, request, made) }),
  })
  warnOfBudget(RED, tools)
  const foreign = await findForeignScript(service, request, { ...call, isKept: stream.isKept })
  if (foreign) status.warn(sharedKey('status.foreign-script'))
  // The connection of speech that is not read for minutes may be closed.
  await untilWanted(message.parts?.id, signal)
  const steps = toMessages(RED, work, { stream, request, foreign, sequenceId })
  if (output !== 'whole') warnOfChunks(RED, node, status)
  try {
    await sendSteps(RED, tools, { steps, sequenceId, characters: text.length })
  } catch (error) {
    service.noteFailure(error)
    throw error
  }
}

/** The headings of a text, which cleaning removes, begin its chapters. */
async function readParts(RED: NodeAPI, { node, config, message, tools }: SpeakWork, text: string) {
  if (!config.clean) return cutIntoParts(text)
  const { signal } = tools
  const written = await readSpeechText({ RED, node, message, signal }, { ...config, clean: false })
  return cutIntoParts(written).map((part) => ({ ...part, text: speakableText(part.text) }))
}

/** Speaks a text as jobs of the service, also one that an earlier process has begun. */
async function speakLongText(RED: NodeAPI, work: SpeakWork, long: LongText): Promise<void> {
  const { tools } = work
  const { service, signal, status } = tools
  const { request, unpaid, parts, jobNames, pause } = long
  const call = { signal, onRetry: () => status.retrying() }
  const chapters: AudioChapter[] = []
  try {
    const onProgress = progressStatus(RED, status, long)
    const stream = await service.speak(unpaid, {
      ...call,
      keep: false,
      make: (client, made) =>
        speakLong(client, {
          request,
          parts,
          jobNames,
          pause,
          chapters,
          call: made,
          submit(...submission) {
            const named = long.submit(...submission)
            service.letEnd(named)
            return named
          },
          onProgress,
        }),
    })
    warnOfBudget(RED, tools)
    const foreign = await findForeignScript(service, request, { ...call, isKept: false })
    if (foreign) status.warn(sharedKey('status.foreign-script'))
    const sequenceId = RED.util.generateId()
    const steps = toMessages(RED, work, { stream, chapters, request, foreign, sequenceId })
    let seconds = 0
    for await (const { message, audio } of steps) {
      seconds = audio.durationSeconds ?? 0
      if (message) tools.send(message)
    }
    status.conclude(RED._('speak.status.spoke-long', { duration: durationText(seconds) }))
  } catch (error) {
    service.noteFailure(error)
    throw error
  } finally {
    await long.end(service)
  }
}

/** Shows how far the service is, and whether it is interrupted. */
function progressStatus(
  RED: NodeAPI,
  status: WorkStatus,
  long: LongText,
): (progress: LongProgress) => void {
  const estimate = new ProgressEstimate()
  let percent = 0
  let left: string | undefined
  const show = () =>
    status.working(() => {
      if (long.pause.isPaused) return RED._('speak.status.paused', { percent })
      return left === undefined
        ? RED._('speak.status.long', { percent })
        : RED._('speak.status.speaking-long', { percent, left })
    })
  long.onPause = show
  return ({ spokenCharacters, characters }) => {
    percent = percentOf(spokenCharacters, characters)
    left = estimate.update(spokenCharacters, characters, performance.now())?.left
    show()
  }
}

function warnOfBudget(
  RED: NodeAPI,
  { service, status }: Pick<WorkTools<SpeakMessage>, 'service' | 'status'>,
): void {
  const share = service.budgetShare()
  if (share < noticeShare) return
  status.warn(RED._('speak.status.budget', { percent: Math.floor(share * 100) }))
}

interface SpokenText {
  stream: Speech
  /** Default: none. */
  chapters?: readonly AudioChapter[]
  request: SpeakOptions['request'] & { voiceId: string }
  foreign: ForeignScript | undefined
  sequenceId: string
}

/** Turns speech into messages while it arrives. */
function toMessages(
  RED: NodeAPI,
  { config, message, tools: { status } }: SpeakWork,
  { stream, chapters, request, foreign, sequenceId }: SpokenText,
): ReturnType<typeof speechMessages> {
  const { voiceId } = request
  return speechMessages({
    stream,
    chapters,
    request,
    message,
    output: config.output,
    hasCaptions: config.captions === true,
    sequenceId,
    warning() {
      if (foreign) return RED._('speak.warning.script', { voice: voiceId, ...foreign })
      const text = warningText(RED, voiceId, stream.warnings)
      if (text) status.warn(sharedKey('status.not-as-written'))
      return text
    },
    clone: (original) => RED.util.cloneMessage(original),
    tooLarge: (mebibytes) => RED._('speak.error.too-large', { mebibytes }),
  })
}

interface ForeignScript {
  /** Of the voice. */
  language: string
  script: string
}

/** The script that a voice does not speak, and the language of the voice. @returns nothing if it speaks the whole text. */
async function findForeignScript(
  service: SpeechService,
  { text, language: wanted, voiceId }: { text: string; language?: unknown; voiceId: string },
  call: ServiceCall & { isKept: boolean | undefined },
): Promise<ForeignScript | undefined> {
  // Every voice speaks ASCII, which spares the first text a request.
  const isAscii = !/[^\p{ASCII}]/u.test(text)
  const known = wanted || isAscii ? wanted : await service.languageOf(voiceId, call)
  const language = String(known || '')
  const script = language ? foreignScript(text, language) : undefined
  return script ? { language, script } : undefined
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
  { send, signal, status }: WorkTools<SpeakMessage>,
  speech: { steps: ReturnType<typeof speechMessages>; sequenceId: string; characters: number },
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
