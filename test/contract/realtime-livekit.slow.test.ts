import { connectSocket } from '@parlando/test-support/local-service/clients/socket-client'
import {
  conversation,
  converse,
  openForTurns,
  responses,
  until,
} from '@parlando/test-support/local-service/five-turns'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { expect, it } from 'vitest'
import { LiveKitStandIn } from './livekit-stand-in.ts'

const testApp = useTestApp()

it('the plugin of LiveKit Agents holds a conversation of five turns with a tool and an interruption', async () => {
  const { port, recogniser, asked } = await openForTurns(testApp)
  const url = `http://127.0.0.1:${port}`
  const headers = { authorization: 'Bearer any', 'user-agent': 'LiveKit-Agents-JS' }
  const client = await connectSocket(url, '/v1/realtime?model=gpt-realtime', { headers })
  const plugin = new LiveKitStandIn(client)
  plugin.sendSettings()

  const runTool = async () => {
    await until(() => plugin.calls.length > 0)
    const { call_id } = plugin.calls[0]!
    const output = 'the light is on'
    await plugin.create({ type: 'function_call_output', call_id, output })
    await plugin.generateReply()
  }
  const toolRun = runTool()
  await converse(
    {
      say: () => void plugin.speak(),
      ended: () => plugin.ended,
      isSpeaking: () => plugin.isSpeaking && plugin.ended === 3,
    },
    recogniser,
  )
  await toolRun
  expect(plugin.problems).toEqual([])
  expect(asked()).toMatchObject(conversation)
  const texts = plugin.chat.map(({ text }) => text)
  const said = ['hello', 'Hello.', 'light', '', '', 'It is on.', 'count']
  expect(texts).toEqual([...said, expect.stringMatching(/^One/), 'stop', 'Good.', 'bye', 'Bye.'])
  expect(texts[7]!.length).toBeLessThan(responses['count']!.length / 2)
})
