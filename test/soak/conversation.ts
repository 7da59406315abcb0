import { createClient, type RealtimeConversation } from '@parlando/core'
import { voicedSound } from '@parlando/test-support/audio/voiced-sound'
import { count } from './message-stats.ts'

/** Of a conversation; a busy machine may need many times the usual ten seconds. */
const limitMs = 5 * 60_000
/** Background, a voice, and the silence that ends the turn. */
const turn = [
  new Int16Array(7200),
  voicedSound({ seconds: 0.8, sampleRateHertz: 24_000 }),
  new Int16Array(24_000),
]
const longText = 'One two three four five six seven eight nine ten. '.repeat(4)

/** Talks with a service whose language model is the echo, and interrupts its first response. */
export async function converse(baseUrl: string, counts: Record<string, number>): Promise<void> {
  const client = createClient({ baseUrl })
  try {
    const { models } = await client.listTranscriptionModels()
    const conversation = client.realtime({}, { timeoutMs: limitMs, reconnect: false })
    const isInterrupted = await talk(conversation, models.length > 0)
    count(counts, isInterrupted ? 'conversations with an interruption' : 'conversations')
  } catch (error) {
    count(counts, `failed conversations: ${error}`)
  } finally {
    await client.close()
  }
}

/** @returns whether a response was cancelled. */
async function talk(conversation: RealtimeConversation, hasRecogniser: boolean): Promise<boolean> {
  let isSpeaking = false
  let isInterrupted = false
  let responses = 0
  conversation.sendText(longText)
  for await (const event of conversation) {
    if (event.type === 'error') throw new Error(event.error.message ?? 'an error without a message')
    if (event.type === 'response.output_audio.delta' && !isSpeaking) {
      isSpeaking = true
      if (hasRecogniser) speak(conversation)
      // The recogniser finds no words in the voice.
      conversation.interrupt()
    }
    if (event.type !== 'response.done') continue
    isInterrupted ||= event.response.status === 'cancelled'
    responses += 1
    if (responses === 2) break
    conversation.sendText('Thank you.')
  }
  return isInterrupted
}

function speak(conversation: RealtimeConversation): void {
  for (const samples of turn) void conversation.sendAudio(new Uint8Array(samples.buffer))
}
