import type { Transport } from '../transport.ts'
import { voicePath } from './get-voice.ts'

const maxAnswerBytes = 64 * 1024

/** `DELETE /voices/v1/voices/{voiceId}`. */
export async function deleteVoice(
  transport: Transport,
  voiceId: string,
  signal?: AbortSignal,
): Promise<void> {
  const path = voicePath(voiceId)
  const { bytes } = await transport.send({ what: 'Voice removal', method: 'DELETE', path, signal })
  // The status has said it all; the answer, documented as `{}`, is read so that the connection can be used again.
  let answerBytes = 0
  for await (const piece of bytes) {
    answerBytes += piece.length
    if (answerBytes > maxAnswerBytes) break
  }
}
