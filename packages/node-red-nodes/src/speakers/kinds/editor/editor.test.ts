import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { openEditorTab } from '@parlando/test-support/speakers/simulated-browser'
import { holdEventLoop } from '@parlando/test-support/watch/event-loop'
import { expect, it } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createEditorDriver } from './editor.ts'

it('the text of an announcement is not published, which users without the right to listen receive too', async () => {
  const http = await startFakeHttpRed()
  const published: unknown[] = []
  http.subscribe((_topic, message) => published.push(message))
  const sound = soundOf({ audioEncoding: 'PCM', sampleRateHertz: 24_000 }, new Uint8Array(2))
  const options = { signal: AbortSignal.timeout(20_000), volume: 100, text: 'The PIN is 4071' }
  const driver = createEditorDriver(http.RED)
  const played = driver.play(sound, { ...options, onFirstSound() {}, handOut() {} })
  await expect(played).rejects.toMatchObject({ code: 'NO_PLAYER' })
  expect(published).toContainEqual(expect.objectContaining({ type: 'offer', text: '' }))
  expect(JSON.stringify(published)).not.toContain('4071')
  await http.close()
})

it('the response of a tab counts although Node-RED was busy for longer than a tab has to respond', async () => {
  const http = await startFakeHttpRed()
  const tab = openEditorTab(http)
  http.subscribe(() => holdEventLoop(1000))
  const driver = createEditorDriver(http.RED)
  const prepared = driver.prepare(AbortSignal.timeout(20_000))
  await expect(prepared).resolves.toEqual({ audioEncoding: 'PCM', sampleRateHertz: 24_000 })
  tab.close()
  await http.close()
})
