import { foreignScript } from '@parlando/core/text'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { BusyMode } from '../../runtime/runner.ts'
import {
  defaultVoice,
  readSpeechRequest,
  readSpeechText,
  type SpeechSettings,
} from '../../runtime/speech-request.ts'
import { warningText } from '../../runtime/speech-warning.ts'
import { sharedKey } from '../../runtime/texts.ts'
import { handleMessages } from '../../runtime/work.ts'
import { findChunkProblem } from '../../shared/whole-audio.ts'
import { untilWanted } from '../../sounds/waiting-sounds.ts'
import type { AudioStats } from './audio-stats.ts'
import {
  isSequenceEnd,
  type SpeakMessage,
  type SpeakOptions,
  silentPart,
  speak,
} from './messages.ts'
import { estimateProgress } from './progress.ts'
import { speakPart } from './speech.ts'

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
    const { output } = config
    const next = (node: Node) => (node as WiredNode).wires.flat().flatMap(findNode)
    const findNode = (id: string) => (RED.nodes.getNode(id) as WiredNode | null) ?? []

    handleMessages<SpeakMessage>(RED, this, {
      busy: config.busy,
      service: config.service,
      run: async (message, { service, client, signal, status, send }) => {
        const sequenceId = RED.util.generateId()
        const text = isSequenceEnd(message)
          ? ''
          : await readSpeechText(RED, this, config, message, signal)
        if (text === '') return send(silentPart({ message, output, sequenceId }))

        const call = { signal, onRetry: () => status.retrying() }
        const request = readSpeechRequest(RED, text, config, message, service.defaults)
        const voiceId = request.voiceId ?? (await defaultVoice(RED, service, call))
        signal.throwIfAborted()
        // Every voice speaks ASCII, which spares the first text a request.
        const isAscii = !/[^\p{ASCII}]/u.test(text)
        const known =
          request.language || isAscii ? request.language : await service.languageOf(voiceId, call)
        const language = String(known || '')
        const script = language ? foreignScript(text, language) : undefined
        if (script) status.warn(sharedKey('status.foreign-script'))
        const spoken = { ...request, voiceId }
        // The connection of speech that is not read for minutes may be closed.
        await untilWanted(message.parts?.id, signal)
        const stream = message.parts
          ? speakPart(client, spoken, call)
          : client.synthesizeStream(spoken, call)
        const warning = () => {
          if (script) return RED._('speak.warning.script', { voice: voiceId, language, script })
          const text = warningText(RED, voiceId, stream.warnings)
          if (text) status.warn(sharedKey('status.not-as-written'))
          return text
        }
        const steps = speak({
          stream,
          request: spoken,
          message,
          output,
          sequenceId,
          warning,
          clone: (original) => RED.util.cloneMessage(original),
          tooLarge: (mebibytes) => RED._('speak.error.too-large', { mebibytes }),
        })
        const problem = output === 'whole' ? undefined : findChunkProblem(next(this), next)
        if (problem) status.warn(sharedKey(`whole-audio.${problem.problem}`))
        const startedAt = performance.now()
        let chunks = 0
        try {
          for await (const { message: next, audio } of steps) {
            if (next) send(next)
            await untilWanted(sequenceId, signal)
            chunks += 1
            const elapsedMs = performance.now() - startedAt
            status.working(() => {
              const progress = estimateProgress(audio, text.length, elapsedMs)
              return progress
                ? RED._('speak.status.speaking-long', { ...progress })
                : RED._('speak.status.speaking', { chunks })
            })
            status.conclude(summary(RED, audio))
          }
        } catch (error) {
          service.noteFailure(error)
          throw error
        }
      },
    })
  }
  RED.nodes.registerType('parlando-speak', Speak)
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
