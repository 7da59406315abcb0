import type { VoiceCloneRequest } from '@parlando/core'
import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import {
  isEmpty,
  readSetting,
  type Setting,
  settingOrPayload,
  sourceOf,
} from '../../shared/setting.ts'
import { readSampleFiles, readSamples } from './samples.ts'

/** What the form sets. */
export interface CloneSettings {
  /** Where the recordings come from: the message, or files of this machine. */
  from: 'message' | 'files'
  samples?: string
  samplesType?: string
  /** Paths, one in a line. */
  files: string
  voiceName: string
  voiceNameType: string
  langCode: string
  removeBackgroundNoise: boolean
}

export interface CloneMessage extends NodeMessageInFlow {
  /** Each holds for this message alone. */
  displayName?: unknown
  langCode?: unknown
  removeBackgroundNoise?: unknown
  description?: unknown
  tags?: unknown
  voiceId?: string
  warnings?: string[]
}

/**
 * Puts together what to clone: the message's own settings first, the form's where it has none.
 * @throws {NodeInputError} when there is no recording.
 */
export async function readCloneRequest(
  RED: NodeAPI,
  node: Node,
  settings: CloneSettings,
  message: CloneMessage,
  signal: AbortSignal,
): Promise<VoiceCloneRequest> {
  const read = (setting: Setting) => readSetting(RED, node, setting, message, signal)
  const { voiceName, voiceNameType } = settings
  const samples = settingOrPayload(settings.samples, settings.samplesType)
  const displayName =
    message.displayName || (await read({ value: voiceName, type: voiceNameType })).value
  // An empty one says nothing, but `false` does.
  const asked = message.removeBackgroundNoise
  const removeBackgroundNoise = isEmpty(asked) ? settings.removeBackgroundNoise : asked
  return {
    displayName: displayName as string,
    langCode: (message.langCode || settings.langCode) as string,
    samples:
      settings.from === 'files'
        ? await readSampleFiles(RED, settings.files)
        : readSamples(RED, (await read(samples)).value, sourceOf(samples)),
    removeBackgroundNoise: removeBackgroundNoise as boolean,
    description: message.description as string | undefined,
    tags: message.tags as string[] | undefined,
  }
}
