import type { RealtimeClientEvent } from '@parlando/core/wire'
import { createAsyncQueue } from '../../concurrency/async-queue.ts'
import { ServiceError } from '../../errors/service-error.ts'

/** What the client of a call has sent and the session has not taken, in order. */
export interface Inbox {
  /** Adds sound. If too much waits, the sound is lost. */
  pushSound(event: SoundEvent): void
  /** Adds a message of the client. */
  pushMessage(message: Buffer): void
  /** @throws {ServiceError} when the client sends nothing for too long. */
  readonly messages: AsyncIterable<Buffer | RealtimeClientEvent>
  limitSilence(limitMs: number): void
  end(): void
}

type SoundEvent = Extract<RealtimeClientEvent, { type: 'input_audio_buffer.append' }>

export interface InboxOptions {
  /** Called when too many messages wait. */
  onOverflow(): void
}

/** 16 s of sound. */
const maxWaitingBytes = 1024 * 1024
/** What each message costs in addition to its bytes: an empty one counts too. */
const messageBytes = 256

export function createInbox({ onOverflow }: InboxOptions): Inbox {
  const queue = createAsyncQueue<{ item: Buffer | RealtimeClientEvent; bytes: number }>()
  let waitingBytes = 0
  let silence: NodeJS.Timeout | undefined

  const push = (item: Buffer | RealtimeClientEvent, length: number) => {
    const bytes = length + messageBytes
    waitingBytes += bytes
    silence?.refresh()
    queue.push({ item, bytes })
  }
  async function* read() {
    for await (const { item, bytes } of queue) {
      waitingBytes -= bytes
      yield item
    }
  }
  return {
    messages: read(),
    pushSound(event) {
      if (waitingBytes < maxWaitingBytes) push(event, event.audio.length)
    },
    pushMessage(message) {
      if (waitingBytes < maxWaitingBytes) push(message, message.length)
      else onOverflow()
    },
    limitSilence(limitMs) {
      clearTimeout(silence)
      const message = `The client sent nothing for ${limitMs / 1000} s`
      const expire = () => queue.fail(new ServiceError('DEADLINE_EXCEEDED', message))
      silence = setTimeout(expire, limitMs)
    },
    end() {
      clearTimeout(silence)
      // Sound can still arrive, and would start the timer again.
      silence = undefined
      queue.end()
    },
  }
}
