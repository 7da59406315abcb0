import type { SampleRemark, VoiceClone } from '@parlando/core'
import type { NodeAPI, NodeMessageInFlow } from 'node-red'

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
