import type { RealtimeServerEvent } from '@parlando/core/wire'
import { describe, expect, it } from 'vitest'
import { createCallOutput } from './call-output.ts'

/** An output whose sound the test plays. */
function open() {
  const sent: string[] = []
  let waitingBytes = 0
  let onEmpty = () => {}
  const { send, player } = createCallOutput({
    createPlayout(options) {
      onEmpty = options.onEmpty
      return {
        push(pcm) {
          waitingBytes += pcm.length
        },
        end: () => sent.push('(complete)'),
        pause() {},
        resume() {},
        clear() {
          waitingBytes = 0
        },
        get isEmpty() {
          return waitingBytes === 0
        },
      }
    },
    async sendMessage(event) {
      sent.push(event.type)
      expect(event.event_id).toMatch(/^event_/)
    },
  })
  const place = { output_index: 0, item_id: 'item', content_index: 0 }
  const emit = (event: RealtimeServerEvent) => send({ ...event, event_id: 'event_1' })
  return {
    player,
    say: (response_id: string) =>
      emit({ type: 'response.output_audio.delta', response_id, ...place, delta: 'AAAA' }),
    endSound: (response_id: string) =>
      emit({ type: 'response.output_audio.done', response_id, ...place }),
    end: (id: string, status: string) => emit({ type: 'response.done', response: { id, status } }),
    /** Plays the sound to the end. */
    play() {
      waitingBytes = 0
      onEmpty()
    },
    take: () => sent.splice(0),
  }
}

describe('the output of a call', () => {
  it('reports when the sound of a response starts and has been played', async () => {
    const { say, endSound, end, play, take } = open()
    await say('one')
    await say('one')
    await endSound('one')
    await end('one', 'completed')
    expect(take()).toEqual([
      'output_audio_buffer.started',
      '(complete)',
      'response.output_audio.done',
      'response.done',
    ])
    play()
    expect(take()).toEqual(['output_audio_buffer.stopped'])
  })

  it('does not report a gap within a response', async () => {
    const { say, end, play, take } = open()
    await say('one')
    play()
    await say('one')
    expect(take()).toEqual(['output_audio_buffer.started'])
    play()
    await end('one', 'completed')
    expect(take()).toEqual(['response.done', 'output_audio_buffer.stopped'])
  })

  it('drops the sound of a cancelled response', async () => {
    const { say, end, play, take } = open()
    await say('one')
    await end('one', 'cancelled')
    play()
    expect(take()).toEqual([
      'output_audio_buffer.started',
      'response.done',
      'output_audio_buffer.cleared',
    ])
  })

  it('drops the rest of a response that has ended, when the user interrupts', async () => {
    const { say, end, player, play, take } = open()
    await say('one')
    await end('one', 'completed')
    player.clear()
    player.clear()
    play()
    expect(take().slice(1)).toEqual(['response.done', 'output_audio_buffer.cleared'])
  })

  it('reports nothing about a response without sound', async () => {
    const { end, play, take } = open()
    await end('one', 'completed')
    await end('two', 'cancelled')
    play()
    expect(take()).toEqual(['response.done', 'response.done'])
  })

  it('reports both of two responses that follow one another', async () => {
    const { say, end, take } = open()
    await say('one')
    await end('one', 'completed')
    await say('two')
    expect(take().slice(2)).toEqual(['output_audio_buffer.stopped', 'output_audio_buffer.started'])
  })
})
