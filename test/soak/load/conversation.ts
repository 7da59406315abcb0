import { type Client, createClient, type RealtimeConversation } from '@parlando/core'
import { count, countFailure } from '../messages/message-stats.ts'

/** Of a conversation; a busy machine may need many times the usual ten seconds. */
const limitMs = 5 * 60_000
const longText = 'One two three four five six seven eight nine ten. '.repeat(4)
const pcm = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const bytesPerSecond = 2 * pcm.sampleRateHertz

/** Talks with a service whose language model is the echo, and interrupts its first response. */
export async function converse(baseUrl: string, counts: Record<string, number>): Promise<void> {
  const client = createClient({ baseUrl })
  try {
    const { models } = await client.listTranscriptionModels()
    const words = models.length > 0 ? await recordTurn(client) : undefined
    const conversation = client.realtime({}, { timeoutMs: limitMs, reconnect: false })
    const isInterrupted = await talk(conversation, words)
    count(counts, isInterrupted ? 'conversations with an interruption' : 'conversations')
  } catch (error) {
    countFailure(counts, 'conversations', error)
  } finally {
    await client.close()
  }
}

/** Background, words, and the silence that ends the turn. */
async function recordTurn(client: Client): Promise<Uint8Array[]> {
  const text = 'Please stop counting, and begin again with one.'
  const { audio } = await client.synthesize({ text, voiceId: 'Angus', audioConfig: pcm })
  return [new Uint8Array(0.3 * bytesPerSecond), audio, new Uint8Array(bytesPerSecond)]
}

/** The service responds to the words while the client requests the next response. The client requests it again. */
const simultaneous = 'conversation_already_has_active_response'

/**
 * @param words interrupt the first response. Default: the client interrupts it.
 * @returns whether a response was cancelled.
 */
async function talk(conversation: RealtimeConversation, words?: Uint8Array[]): Promise<boolean> {
  let isSpeaking = false
  let isInterrupted = false
  let responses = 0
  conversation.sendText(longText)
  for await (const event of conversation) {
    if (event.type === 'error' && event.error.code !== simultaneous) {
      throw conversation.errorOf(event.error)
    }
    if (event.type === 'response.output_audio.delta' && !isSpeaking) {
      isSpeaking = true
      if (words) for (const piece of words) void conversation.sendAudio(piece)
      else conversation.interrupt()
    }
    if (event.type !== 'response.done') continue
    isInterrupted ||= event.response.status === 'cancelled'
    responses += 1
    if (responses === 2) break
    conversation.sendText('Thank you.')
  }
  return isInterrupted
}
