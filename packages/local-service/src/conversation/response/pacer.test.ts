import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import { openSession } from '@parlando/test-support/local-service/clients/realtime-session'
import { describe, expect, it } from 'vitest'

const silence = (ms: number) => new Int16Array(ms * 24)
const voice = (ms: number) => voicedSound({ seconds: ms / 1000, sampleRateHertz: 24_000 })
const limit = { timeout: 60_000 }

/** A session whose first response has ended, and is still being played. */
async function openPlaying(interrupt_response = true) {
  const calls: string[] = []
  const player = {
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    clear: () => calls.push('clear'),
  }
  const session = await openSession({ player })
  const input = { turn_detection: { type: 'server_vad', interrupt_response } } as const
  await session.send({ type: 'session.update', session: { audio: { input } } })
  await session.send({ type: 'response.create' })
  await session.next('response.done')
  // A change of the settings resumes the player too.
  expect(new Set(calls.splice(0))).toEqual(new Set(['resume']))
  await session.say(silence(300))
  return { session, calls }
}

describe('the player of a session', () => {
  it('pauses when the user begins to speak, and drops the sound when there are words', async () => {
    const { session, calls } = await openPlaying()
    session.recogniser.utterance = { text: 'stop it' }
    await session.say(voice(600))
    await expect.poll(() => calls, limit).toEqual(['pause', 'clear'])
    await session.say(silence(700))
    await session.next('response.done')
    // The next response is heard.
    expect(calls.at(-1)).toBe('resume')
  })

  it('continues after a noise', async () => {
    const { session, calls } = await openPlaying()
    session.recogniser.utterance = { text: '' }
    await session.say(voice(600))
    await session.say(silence(700))
    await expect.poll(() => calls, limit).toEqual(['pause', 'resume'])
  })

  it('drops the sound when the client clears it', async () => {
    const { session, calls } = await openPlaying()
    await session.send({ type: 'output_audio_buffer.clear' })
    expect(calls).toEqual(['clear'])
  })

  it('continues if the user must not interrupt', async () => {
    const { session, calls } = await openPlaying(false)
    session.recogniser.utterance = { text: 'stop it' }
    await session.say(voice(600))
    await session.say(silence(700))
    await session.next('response.done')
    expect(calls).not.toContain('pause')
    expect(calls).not.toContain('clear')
  })
})
