import { createEngineApp, post } from '@parlando/test-support/local-service/test-app'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { piper } from '../piper/piper.ts'

async function serve(address: string) {
  const engine = (await piper.start({ options: { piper: address }, warn: () => {} }))!
  onTestFinished(() => engine.close())
  const { app, failures } = createEngineApp(engine)
  const list = async () =>
    (await (await app.request('/voices/v1/voices')).json()) as {
      voices: { voiceId: string; unavailableReason?: string }[]
      problems?: string[]
    }
  const speak = async (voiceId: string) =>
    post(app, '/tts/v1/voice', { text: 'Hallo.', voiceId, modelId: 'svc-tts-2' })
  return { engine, list, speak, failures }
}

describe('the voices of a server that is down', () => {
  it('stay in the list with the reason, and reject requests with it', async () => {
    const server = await startTestServer((response) => {
      response.end(JSON.stringify({ 'de_DE-eva': { language: { code: 'de_DE' } } }))
    })
    const { engine, list, speak, failures } = await serve(server.baseUrl)
    expect((await list()).problems).toBeUndefined()
    await server.close()
    await speak('piper-de_DE-eva')
    await expect.poll(() => engine.problem, { timeout: 30_000 }).toBeDefined()
    const { voices, problems } = await list()
    expect(problems).toEqual([expect.stringContaining('cannot be reached')])
    const unavailable = voices.filter(({ unavailableReason }) => unavailableReason)
    expect(unavailable).toMatchObject([
      { voiceId: 'piper-de_DE-eva', unavailableReason: problems![0] },
    ])
    const response = await speak('piper-de_DE-eva')
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({
      code: 14,
      message: expect.stringContaining('The service tries again by itself'),
    })
    expect(failures).toEqual([])
  })

  it('are unknown if it was never reached, and the error says why', async () => {
    const { list, speak } = await serve(unreachableUrl)
    expect((await list()).problems).toEqual([expect.stringContaining(unreachableUrl)])
    const response = await speak('piper-de_DE-eva')
    expect(response.status).toBe(404)
    const { message } = (await response.json()) as { message: string }
    expect(message).toMatch(
      /^Unknown voice: piper-de_DE-eva.*The Piper server, .* cannot be reached/,
    )
  })
})
