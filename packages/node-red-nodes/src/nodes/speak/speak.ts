import { foreignScript } from '@parlando/core/text'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { SpeechService } from '../../runtime/find-service.ts'
import type { BusyMode } from '../../runtime/runner.ts'
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
import { estimateProgress } from './progress.ts'
import { type SpeechCall, speakPart } from './speak-part.ts'

interface SpeakDef extends NodeDef, SpeechSettings {
  service: string
  output: SpeakOptions['output']
  busy: BusyMode
}

/** What Node-RED's types leave out. */
type WiredNode = Node & { wires: string[][] }

function register(RED: NodeAPI): void {
  function Speak(this: Node, config: SpeakDef) {
    RED.nodes.createNode(this, config)
    handleMessages<SpeakMessage>(RED, this, {
      busy: config.busy,
      service: config.service,
      run: (message, tools) => speakMessage(RED, { node: this, config, message, tools }),
    })
  }
  RED.nodes.registerType('parlando-speak', Speak)
}

interface SpeakWork {
  node: Node
  config: SpeakDef
  message: SpeakMessage
  tools: WorkTools<SpeakMessage>
}

async function speakMessage(RED: NodeAPI, work: SpeakWork): Promise<void> {
  const { node, config, message, tools } = work
  const { service, signal, status, send } = tools
  const { output } = config
  const sequenceId = RED.util.generateId()
  const text = isSequenceEnd(message)
    ? ''
    : await readSpeechText({ RED, node, message, signal }, config)
  if (text === '') return send(silentPart({ message, output, sequenceId }))

  const call = { signal, onRetry: () => status.retrying() }
  const wanted = readSpeechRequest(RED, text, config, message, service.defaults)
  const voiceId = wanted.voiceId ?? (await defaultVoice(RED, service, wanted, call))
  signal.throwIfAborted()
  const request = { ...wanted, voiceId }
  const foreign = await findForeignScript(service, request, call)
  if (foreign) status.warn(sharedKey('status.foreign-script'))
  // The connection of speech that is not read for minutes may be closed.
  await untilWanted(message.parts?.id, signal)
  const steps = requestSpeech(RED, work, { request, call, foreign, sequenceId })
  if (output !== 'whole') warnOfChunks(RED, node, status)
  try {
    await sendSteps(RED, tools, { steps, sequenceId, characters: text.length })
  } catch (error) {
    service.noteFailure(error)
    throw error
  }
}

interface RequestedSpeech {
  request: SpeakOptions['request'] & { voiceId: string }
  call: SpeechCall
  foreign: ForeignScript | undefined
  sequenceId: string
}

/** Requests the speech, and turns it into messages while it arrives. */
function requestSpeech(
  RED: NodeAPI,
  { config, message, tools: { client, status } }: SpeakWork,
  { request, call, foreign, sequenceId }: RequestedSpeech,
): ReturnType<typeof speechMessages> {
  const { voiceId } = request
  const stream = message.parts
    ? speakPart(client, request, call)
    : client.synthesizeStream(request, call)
  return speechMessages({
    stream,
    request,
    message,
    output: config.output,
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
  call: SpeechCall,
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
