import { useSpeak } from '@parlando/test-support/node-red/flows/speak-flow'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it, vi } from 'vitest'
import { readServicePronunciations } from './service-pronunciations.ts'

const { loadSpeak } = useSpeak()

const nguyen = { word: 'Nguyen', sayAs: 'win' }
const crete = { word: 'Crete', sayAs: '/kriːt/' }

it('a service says words as its list has them, also in prepared sentences, and captions keep the words', async () => {
  const wordAlignment = {
    words: ['win', 'called.'],
    wordStartTimeSeconds: [0, 1],
    wordEndTimeSeconds: [1, 2],
  }
  const server = await startTestServer((response) => {
    response.end(audioLine(Buffer.alloc(4800, 1), { timestampInfo: { wordAlignment } }))
  })
  const texts = () => server.requests.map(({ body }) => (body as { text?: string }).text)
  const pronunciations = [nguyen, crete, { word: 'half' }, null]
  const flow = await loadSpeak({
    baseUrl: server.baseUrl,
    service: { pronunciations, prepared: 'Clara | To Crete.' },
    speak: { output: 'whole', captions: true },
  })
  await vi.waitFor(() => expect(texts()).toEqual(['To /kriːt/.']))
  flow.node('speak').receive({ payload: 'Nguyen called.', voiceId: 'Clara' })
  const [message] = await flow.waitFor('out', 1)
  // The prepared sentence is made again with captions, as the node wants them.
  const all = ['To /kriːt/.', 'win called.', 'To /kriːt/.']
  await vi.waitFor(() => expect(texts()).toEqual(all))
  expect(message).toMatchObject({
    timestamps: [{ text: 'Nguyen' }, { text: 'called.' }],
    captions: 'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nNguyen called.\n',
  })
})

it('voices of this device get no phonetic writing, which they cannot read', () => {
  const onDevice = readServicePronunciations([nguyen, crete], true)
  expect(onDevice.entries).toEqual([nguyen])
  expect(onDevice.pronounce('Nguyen in Crete')).toBe('win in Crete')
  const hosted = readServicePronunciations([nguyen, crete], false)
  expect(hosted.pronounce('Nguyen in Crete')).toBe('win in /kriːt/')
  expect(hosted.respell('Nguyen in Crete')).toBe('win in Crete')
})
