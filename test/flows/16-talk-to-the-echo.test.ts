import { useExample } from '@parlando/test-support/node-red/example'
import { openMicrophone } from '@parlando/test-support/node-red/simulated-microphone'
import { expect, it, onTestFinished } from 'vitest'

const example = useExample('16 - Talk to the echo.json')

it('offers the page of the microphone, which also plays the answer', async () => {
  const page = await example.fetch('/parlando/microphone/voice-terminal')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const microphone = await openMicrophone(example.nodeRed.baseUrl, 'voice terminal')
  onTestFinished(() => microphone.close())
  const settings = { mode: 'tap', speaker: 'terminal' }
  expect(microphone.messages).toEqual([{ type: 'ready', settings }])
})
