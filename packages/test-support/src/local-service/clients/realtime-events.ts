import type { RealtimeServerEvent } from '@parlando/core/wire'
import { voicedSound } from '../../audio/computed-sounds.ts'
import type { TestSession } from './realtime-session.ts'

/** Sound at 24 kHz. */
export const silence = (ms: number) => new Int16Array(ms * 24)
export const voice = (ms: number) => voicedSound({ seconds: ms / 1000, sampleRateHertz: 24_000 })

/** The client ends the turns. */
export const manual = {
  type: 'session.update',
  session: { audio: { input: { turn_detection: null } } },
} as const
export const transcribing = {
  type: 'session.update',
  session: { audio: { input: { transcription: {} } } },
} as const
export const commit = { type: 'input_audio_buffer.commit' } as const
export const create = { type: 'response.create' } as const
/** The user writes this. */
export const text = (words: string) => ({
  type: 'conversation.item.create' as const,
  item: {
    type: 'message' as const,
    role: 'user' as const,
    content: [{ type: 'input_text' as const, text: words }],
  },
})

export const typesOf = (events: readonly RealtimeServerEvent[]) => events.map(({ type }) => type)

/** Speaks one turn and waits for its response. */
export async function takeTurn(session: TestSession) {
  await session.say(silence(300))
  await session.say(voice(800))
  await session.say(silence(700))
  return session.next('response.done')
}
