import type { RealtimeConversation, RealtimeEvent } from '@parlando/core'
import { onPlaybackStart } from '../../playback/playback-starts.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type {
  ConversationMessages,
  ConverseMessage,
  SoundMessages,
} from './conversation-messages.ts'

export interface ResponseSoundOptions {
  messages: ConversationMessages
  conversation: Pick<RealtimeConversation, 'reportPlayed'>
  send(message: ConverseMessage): void
  /** The sound of a response begins to play. */
  onPlaying(speakers: readonly Speaker[]): void
}

type Event<Type extends RealtimeEvent['type']> = Extract<RealtimeEvent, { type: Type }>

/** The speech of the responses as messages for a node that plays. */
export function createResponseSound(options: ResponseSoundOptions) {
  const { messages, conversation, send, onPlaying } = options
  let sound: SoundMessages | undefined
  let isPaused = false
  let stopWaiting = () => {}

  const begin = (itemId: string, playedMs: number): SoundMessages => {
    const begun = messages.sound()
    stopWaiting()
    // Until then, the conversation assumes that a speaker plays at once.
    stopWaiting = onPlaybackStart(begun.id, (speakers) => {
      conversation.reportPlayed(itemId, playedMs)
      onPlaying(speakers)
    })
    return begun
  }
  const end = (isInterrupted: boolean) => {
    if (sound) send(sound.last(isInterrupted))
    sound = undefined
  }
  const stop = () => {
    end(true)
    stopWaiting()
    if (!isPaused) send(messages.stop())
    isPaused = false
  }

  return {
    play(piece: Event<'response.output_audio.delta'>) {
      sound ??= begin(piece.item_id, 0)
      send(sound.next(piece.audio))
    },
    /** Sends the final message, if there is a sound. */
    end,
    /** Stops the node that plays. */
    stop,
    /** Ends the sound as `stop` does; `resume` sends the rest as another sound. */
    pause() {
      stop()
      isPaused = true
    },
    resume({ speech, playedMs, isComplete }: Event<'resumed'>) {
      isPaused = false
      const [first] = speech
      if (first) sound = begin(first.item_id, playedMs)
      for (const { audio } of speech) send(sound!.next(audio))
      if (isComplete) end(false)
    },
    /** Ends the sound, if there is one. */
    close() {
      stopWaiting()
      end(true)
    },
  }
}

export type ResponseSound = ReturnType<typeof createResponseSound>
