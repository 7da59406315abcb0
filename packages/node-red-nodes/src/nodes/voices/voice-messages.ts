import type { Voice } from '@parlando/core'
import type { NodeMessageInFlow } from 'node-red'
import { innerParts } from '../../runtime/sequences.ts'

export interface VoicesMessage extends NodeMessageInFlow {
  operation?: unknown
  voiceId?: unknown
  languages?: unknown
  search?: unknown
  displayName?: unknown
  description?: unknown
  tags?: unknown
  complete?: boolean
}

/** A clone of the message for each voice; *join* makes an array of them. */
export function* voiceMessages(
  message: VoicesMessage,
  voices: Voice[],
  sequenceId: string,
  clone: (message: VoicesMessage) => VoicesMessage,
): Generator<VoicesMessage, void> {
  const { payload: _payload, complete: _complete, parts: outerParts, ...rest } = message
  const sequence = { id: sequenceId, type: 'array', count: voices.length, len: 1 }
  const parts = innerParts(sequence, outerParts)
  for (const [index, voice] of voices.entries()) {
    const own = { ...rest, voiceId: voice.voiceId, parts: { ...parts, index } }
    yield { ...clone(own), payload: voice }
  }
}
