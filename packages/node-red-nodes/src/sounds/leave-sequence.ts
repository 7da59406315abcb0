import type { SoundMessage } from './collect-sound.ts'

/** Takes a message out of the sequence of chunks; it stays part of the sequence around that, if there is one. */
export function leaveSequence(message: SoundMessage): void {
  const { parts: outerParts } = (message.parts ?? {}) as { parts?: SoundMessage['parts'] }
  delete message.complete
  if (outerParts) message.parts = outerParts
  else delete message.parts
}
