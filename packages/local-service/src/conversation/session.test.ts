import { text } from '@parlando/test-support/local-service/clients/realtime-events'
import { openSession } from '@parlando/test-support/local-service/clients/realtime-session'
import { describe, expect, it } from 'vitest'

describe('the settings', () => {
  it('are complete in each event, and those without a meaning here stay null', async () => {
    const session = await openSession()
    await session.send({
      type: 'session.update',
      session: {
        tracing: 'auto',
        audio: {
          input: {
            noise_reduction: { type: 'near_field' },
            turn_detection: { type: 'semantic_vad' },
          },
          output: { voice: { id: 'Clara' } },
        },
      },
    })
    const { session: settings } = await session.next('session.updated')
    expect(settings).toMatchObject({
      type: 'realtime',
      tracing: null,
      output_modalities: ['audio'],
      audio: {
        input: {
          format: { type: 'audio/pcm', rate: 24_000 },
          noise_reduction: null,
          turn_detection: {
            type: 'semantic_vad',
            eagerness: 'auto',
            create_response: true,
            interrupt_response: true,
          },
        },
        output: { voice: 'Clara' },
      },
    })
  })

  it('have the sample rate of PCM that the client wants', async () => {
    const session = await openSession()
    const input = { format: { type: 'audio/pcm', rate: 16_000 } } as const
    const output = { format: { type: 'audio/pcm', rate: 8000 } } as const
    await session.send({ type: 'session.update', session: { audio: { input, output } } })
    const { session: settings } = await session.next('session.updated')
    expect(settings).toMatchObject({ audio: { input, output } })
  })

  it('reject a sample rate that the format does not have', async () => {
    const session = await openSession()
    const format = { type: 'audio/pcm', rate: 12_345 } as const
    await expect(
      session.send({ type: 'session.update', session: { audio: { output: { format } } } }),
    ).rejects.toMatchObject({ sessionCode: 'invalid_value' })
  })
})

describe('the conversation', () => {
  it('adds, retrieves and deletes items, and rejects unknown ones', async () => {
    const session = await openSession()
    const item = { ...text('b').item, id: 'b' }
    await session.send({ type: 'conversation.item.create', item })
    const first = { ...text('b'), item: { ...item, id: 'a' } }
    await session.send({ ...first, previous_item_id: 'root' })
    await expect(session.send(first)).rejects.toMatchObject({ sessionCode: 'invalid_value' })
    await session.send({ type: 'conversation.item.delete', item_id: 'b' })
    for (const verb of ['retrieve', 'delete'] as const) {
      await expect(
        session.send({ type: `conversation.item.${verb}`, item_id: 'b' }),
      ).rejects.toMatchObject({ sessionCode: `item_${verb}_invalid_item_id` })
    }
    await expect(
      session.send({
        type: 'conversation.item.truncate',
        item_id: 'a',
        content_index: 0,
        audio_end_ms: 0,
      }),
    ).rejects.toMatchObject({ sessionCode: 'item_truncate_invalid_item_id' })
  })

  it('forgets the oldest items above its limit', async () => {
    const session = await openSession()
    for (let index = 0; index < 501; index++) {
      const item = { ...text('x').item, id: `item ${index}` }
      await session.send({ type: 'conversation.item.create', item })
    }
    const retrieve = { type: 'conversation.item.retrieve', item_id: 'item 0' } as const
    await expect(session.send(retrieve)).rejects.toThrow('Unknown item')
    await session.send({ ...retrieve, item_id: 'item 1' })
  })
})
