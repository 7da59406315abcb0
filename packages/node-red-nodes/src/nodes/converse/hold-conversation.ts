import type { RealtimeSession } from '@parlando/core'
import { TimeoutError } from '@parlando/core/errors'
import type { NodeAPI } from 'node-red'
import type { ServedTools } from '../../mcp/tool-server.ts'
import { spokenOrEnglish } from '../../runtime/spoken-words.ts'
import { nodeRedLanguage } from '../../runtime/texts.ts'
import type { ConnectedContext, WorkContext } from '../../runtime/work.ts'
import {
  type ConverseMessage,
  conversationMessages,
  sessionRateHertz,
} from './conversation-messages.ts'
import { EventHandler } from './event-handler.ts'
import { Filler, type FillerKind } from './filler.ts'
import { createFollowUp } from './follow-up.ts'
import type { Memory } from './memory.ts'
import type { UserMessages } from './user-messages.ts'

export interface ConversationOptions {
  RED: NodeAPI
  session: RealtimeSession
  /** Whether the conversation ends when nobody speaks after a response. */
  isShort: boolean
  filler: FillerKind | undefined
  /** The memory of the earlier conversations, if they are kept. */
  memory: Memory | undefined
  input: UserMessages
  /** The message that began the conversation. */
  message: ConverseMessage
  context: ConnectedContext<ConverseMessage>
  /** The tools of an MCP server, if the form names one. */
  served: ServedTools | undefined
  /** Receives failures that do not end the conversation. */
  report(error: Error): void
  /** Called when the conversation takes no more messages. The work on its memory goes on. */
  onOver(): void
}

/** Nobody has stopped the conversation. The service may have a shorter limit. */
const idleTimeoutMs = 60 * 60_000

/** Holds a conversation until it is stopped, or nobody says anything more. */
export async function holdConversation(options: ConversationOptions): Promise<void> {
  const { RED, session, isShort, input, context, served, memory, report, onOver } = options
  // May throw, so it happens before the conversation begins.
  const messages = conversationMessages(RED, options.message)
  const { client, signal, status } = context
  const call = { signal, onRetry: () => status.retrying(), idleTimeoutMs }
  const conversation = client.realtime(session, call)
  const followUp = createFollowUp(isShort ? () => void conversation.close() : undefined)
  const filler = new Filler({
    kind: options.filler,
    messages,
    send: (message) => context.send([message, null, null]),
    unplayedMs: () => conversation.unplayedMs,
    mute: (durationMs) => input.mute(durationMs),
    speakWord: createWordSpeaker(RED, session, context),
  })
  const facts = { RED, context, messages, conversation, followUp, filler, memory, served, report }
  const handler = new EventHandler(facts)
  const readEvents = async () => {
    for await (const event of conversation) handler.take(event)
  }
  try {
    if (input.hasAudio) followUp.begin()
    memory?.restore(conversation)
    const inputs = input.connect(conversation, {
      onTurn: followUp.recordingBegan,
      onTurnEnded: followUp.recordingEnded,
      onText: (text) => memory?.noteUser(text),
      onToolResult: (callId, result) => handler.takeToolResult(callId, result),
    })
    await Promise.race([readEvents(), inputs])
  } catch (error) {
    if (!isIdle(error)) throw error
  } finally {
    followUp.cancel()
    handler.close()
    // A message would be lost: the last summary may take a minute.
    onOver()
    await conversation.close()
    await memory?.close()
  }
}

function isIdle(error: unknown): boolean {
  return TimeoutError.isInstance(error) && error.timeoutMs === idleTimeoutMs
}

/**
 * While a tool works, a voice asks for a moment, in the language of the conversation.
 * @returns a function that speaks the word with the voice of the conversation. PCM at the rate of the session.
 */
function createWordSpeaker(
  RED: NodeAPI,
  session: RealtimeSession,
  { service }: Pick<WorkContext<ConverseMessage>, 'service'>,
) {
  const { input, output } = session.audio ?? {}
  const language = input?.transcription?.language ?? nodeRedLanguage(RED)
  const text = spokenOrEnglish(language).moment
  return async (signal: AbortSignal): Promise<Uint8Array> => {
    const voice = output?.voice
    const voiceId =
      typeof voice === 'string' ? voice : await service.defaultVoiceId({ signal, language })
    const audioConfig = { audioEncoding: 'PCM', sampleRateHertz: sessionRateHertz } as const
    const { modelId } = service.defaults
    const speech = await service.speak({ text, voiceId, modelId, audioConfig }, { signal })
    const chunks: Uint8Array[] = []
    for await (const { audio } of speech) chunks.push(audio)
    return Buffer.concat(chunks)
  }
}
