import { describe, expect, it } from 'vitest'
import { speechRequestSchema } from '../../../core/src/wire/speech.ts'
import { voiceCloneBodySchema } from '../../../core/src/wire/voices.ts'
import { camelCaseKeys } from './camel-case.ts'

describe('camelCaseKeys', () => {
  it('converts a snake_case speech request to one that the schema accepts', () => {
    const body = camelCaseKeys({
      text: 'Hello_there',
      voice_id: 'my__voice_1',
      model_id: 'svc-tts-2',
      audio_config: { audio_encoding: 'OGG_OPUS', sample_rate_hertz: 24000 },
      synthesis_context: { previous_requests: [{ text: 'earlier_text' }] },
    })
    expect(speechRequestSchema.parse(body)).toEqual({
      text: 'Hello_there',
      voiceId: 'my__voice_1',
      modelId: 'svc-tts-2',
      audioConfig: { audioEncoding: 'OGG_OPUS', sampleRateHertz: 24000 },
      synthesisContext: { previousRequests: [{ text: 'earlier_text' }] },
    })
  })

  it('converts objects inside lists', () => {
    const body = camelCaseKeys({
      display_name: 'Me',
      lang_code: 'EN_US',
      voice_samples: [{ audio_data: 'AAAA' }, { audioData: 'BBBB' }],
      audio_processing_config: { remove_background_noise: true },
    })
    expect(voiceCloneBodySchema.parse(body).voiceSamples).toEqual([
      { audioData: 'AAAA' },
      { audioData: 'BBBB' },
    ])
  })

  it('returns a lowerCamelCase body and values without keys unchanged', () => {
    const body = { voiceId: 'Clara', audioConfig: { speakingRate: 1.5 }, tags: ['a_b', null] }
    expect(camelCaseKeys(body)).toEqual(body)
    for (const value of [null, 'some_text', 7, true, []])
      expect(camelCaseKeys(value)).toEqual(value)
  })

  it.each(['{"voice_id":"snake","voiceId":"camel"}', '{"voiceId":"camel","voice_id":"snake"}'])(
    'prefers the lowerCamelCase key in %s',
    (body) => expect(camelCaseKeys(JSON.parse(body))).toEqual({ voiceId: 'camel' }),
  )

  it('keeps the prototype of the object, even for a key named __proto__', () => {
    const body = camelCaseKeys(JSON.parse('{"__proto__":{"voice_id":"x"},"to_string":1}')) as object
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    expect(Object.keys(body)).toEqual(['__proto__', 'toString'])
  })

  it('does not mistake an inherited member for a duplicate key', () => {
    expect(camelCaseKeys({ has_own_property: 1 })).toEqual({ hasOwnProperty: 1 })
  })

  it('does not overflow the call stack on a deeply nested body', () => {
    const depth = 200_000
    const body = JSON.parse(`${'{"a_b":'.repeat(depth)}1${'}'.repeat(depth)}`)
    expect(Object.keys(camelCaseKeys(body) as object)).toEqual(['aB'])
  })
})
