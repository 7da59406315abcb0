import { createFakeEngine } from '@parlando/test-support/local-service/fake-engine'
import type { Context } from 'hono'
import { expect, it } from 'vitest'
import { createEncoderPool } from '../../../audio/encoding/encoder-pool.ts'
import type { ClientSocket } from '../../../server/sockets/client-socket.ts'
import { createVoiceList } from '../../../voices/voice-list.ts'
import type { ApiContext } from '../../app/endpoint.ts'
import { OpenContexts } from './open-contexts.ts'

it('contexts send nothing after an abort, not even that they are closed', async () => {
  const engines = new Map([['flite', createFakeEngine()]])
  const service = { voiceList: createVoiceList(), engines, encoders: createEncoderPool() }
  const sent: object[] = []
  const socket = {
    signal: new AbortController().signal,
    send: async (message: object) => void sent.push(message),
  }
  const contexts = new OpenContexts(
    service as unknown as ApiContext,
    { get() {}, set() {}, req: { header() {} } } as unknown as Context,
    socket as unknown as ClientSocket,
  )
  await contexts.create('a', { voiceId: 'Clara', modelId: 'svc-tts-2' })
  contexts.find('a').write('Hi.')
  contexts.close('a')
  contexts.abort()
  await contexts.closeAll()
  expect(sent).toEqual([{ result: expect.objectContaining({ contextCreated: expect.anything() }) }])
})
