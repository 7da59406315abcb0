import type { SampleRemark, VoiceClone, VoiceCloneRequest } from '@parlando/core'
import type { NodeAPI, NodeMessageInFlow } from 'node-red'
import { readSettings } from '../../runtime/settings.ts'
import {
  type MessageContext,
  readTypedInput,
  sourceOf,
  type TypedInput,
  typedInputOrPayload,
} from '../../runtime/typed-input.ts'
import { readSampleFiles, readSamples } from './samples.ts'

/** Settings of the form. */
export interface CloneSettings {
  /** The source of the recordings: the message, or files on this machine. */
  from: 'message' | 'files'
  samples?: string
  samplesType?: string
  /** Paths, one per line. */
  files: string
  voiceName: string
  voiceNameType: string
  langCode: string
  removeBackgroundNoise: boolean
  keepRecording: boolean
}

const settingTable = {
  displayName: { message: 'displayName' },
  langCode: { message: 'langCode', form: 'langCode' },
  removeBackgroundNoise: { message: 'removeBackgroundNoise', form: 'removeBackgroundNoise' },
  keepRecording: { message: 'keepRecording', form: 'keepRecording' },
} as const

/** Builds the request. The message overrides the form. @throws {NodeInputError} when there is no recording. */
export async function readCloneRequest(
  context: MessageContext<CloneMessage>,
  settings: CloneSettings,
): Promise<VoiceCloneRequest> {
  const { RED, message } = context
  const read = (input: TypedInput) => readTypedInput(context, input)
  const { voiceName, voiceNameType } = settings
  const samples = typedInputOrPayload(settings.samples, settings.samplesType)
  const { displayName, ...rest } = readSettings(message, settings, settingTable)
  return {
    ...rest,
    displayName: displayName ?? (await read({ value: voiceName, type: voiceNameType })).value,
    samples:
      settings.from === 'files'
        ? await readSampleFiles(RED, settings.files)
        : readSamples(RED, (await read(samples)).value, sourceOf(samples)),
    description: message.description,
    tags: message.tags,
  } as VoiceCloneRequest
}

export interface CloneMessage extends NodeMessageInFlow {
  displayName?: unknown
  langCode?: unknown
  removeBackgroundNoise?: unknown
  keepRecording?: unknown
  description?: unknown
  tags?: unknown
  voiceId?: string
  /** What the service reports about the recordings, a sentence each. */
  warnings?: string[]
}

/** Sets the new voice and the warnings on the message. @returns the warnings. */
export function setVoice(
  RED: NodeAPI,
  message: CloneMessage,
  { voice, warnings, errors }: VoiceClone,
): string[] {
  const sentences = [...errors, ...warnings].map(({ sample, text }: SampleRemark) =>
    RED._('clone-voice.warning', { number: sample, text }),
  )
  message.payload = voice
  message.voiceId = voice.voiceId
  message.warnings = sentences
  return sentences
}
