import {
  kokoro,
  openEngine,
  openEngineAt,
  type Speech,
  type StandIn,
} from '@parlando/test-support/local-service/upstream/openai-speech-server'
import { keys } from '@parlando/test-support/secrets/keys'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { describe, expect, it } from 'vitest'

describe('the voices of a server of the OpenAI API', () => {
  it('are named after the server, with the language and the gender in the names of Kokoro', async () => {
    const { engine, server } = await openEngine(kokoro)
    const { host } = new URL(server.baseUrl)
    expect(engine.voices).toMatchObject([
      {
        name: 'openai-af_heart',
        langCode: 'EN_US',
        voice: {
          voiceId: 'openai-af_heart',
          displayName: `af_heart (${host})`,
          langCode: 'EN_US',
          gender: 'female',
        },
      },
      { name: 'openai-bf_emma', langCode: 'EN_GB' },
      { name: 'openai-zm_yunxi', langCode: 'ZH_CN', voice: { gender: 'male' } },
    ])
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${keys.upstream}`)
  })

  it.each<[string, unknown]>([
    ['texts', { voices: ['ada', 'bob'] }],
    ['objects with ids', { voices: [{ id: 'ada', name: 'Ada L.' }, { id: 'bob' }] }],
    ['objects with names', { voices: [{ name: 'ada', language: 'en-us' }, { name: 'bob' }] }],
    ['objects with voice_id', [{ voice_id: 'ada' }, { voice_id: 'bob' }]],
    ['data', { object: 'list', data: [{ id: 'ada' }, { id: 'bob' }, { id: '' }, 7, null] }],
    ['an array with duplicates', ['ada', 'bob', 'ada']],
  ])('are read from a list of %s', async (_what, list) => {
    const { engine } = await openEngine({ lists: { '/v1/audio/voices': list } })
    expect(engine.voices.map(({ name }) => name)).toEqual(['openai-ada', 'openai-bob'])
    expect(engine.problem).toBeUndefined()
  })

  it('are the models that speak, if the server has no voices', async () => {
    const data = ['llama-3', 'whisper-1', 'voice-en-us-amy-low', 'tts-1', 'gpt-realtime-tts']
    const models = { data: [...data.map((id) => ({ id })), { id: 'x', task: 'text-to-speech' }] }
    const { engine, speak, server } = await openEngine({ lists: { '/v1/models': models } })
    expect(engine.voices.map(({ name }) => name)).toEqual([
      'openai-voice-en-us-amy-low',
      'openai-tts-1',
      'openai-x',
    ])
    await speak()
    const { model, voice } = server.requests.at(-1)!.body as Speech
    expect([model, voice]).toEqual(['voice-en-us-amy-low', undefined])
  })

  it('are those of the option, even if the server lists nothing', async () => {
    const { engine, speak, server } = await openEngine({}, { voices: ['alloy', 'nova'] })
    expect(engine.voices.map(({ name }) => name)).toEqual(['openai-alloy', 'openai-nova'])
    await speak('Hello', 'openai-nova')
    expect(server.requests.at(-1)!.body).toMatchObject({ voice: 'nova', model: 'tts-1' })
  })

  it.each<[string, StandIn, RegExp]>([
    ['lists nothing', {}, /lists no voices\. Name them with --speech-upstream-voice$/],
    [
      'lists only other models',
      { lists: { '/v1/models': { data: [{ id: 'llama-3' }] } } },
      /lists no voices/,
    ],
  ])('are missing, with the reason, if the server %s', async (_what, standIn, reason) => {
    const { engine, warnings } = await openEngine(standIn)
    expect(engine.voices).toEqual([])
    expect(engine.problem).toMatch(reason)
    expect(warnings).toEqual([engine.problem])
  })

  it('are missing, with the reason, if the server cannot be reached', async () => {
    const { engine } = await openEngineAt(unreachableUrl)
    expect(engine.problem).toMatch(
      /^The speech server, http.*, cannot be reached \(ECONNREFUSED\)\. Check that it runs, and the address given by --speech-upstream$/,
    )
  })
})
