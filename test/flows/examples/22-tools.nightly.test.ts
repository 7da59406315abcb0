import { connectMcp, untilTheEnd } from '@parlando/test-support/mcp/connection'
import { mcpCommand } from '@parlando/test-support/mcp/server'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { keys } from '@parlando/test-support/secrets/keys'
import { chatEnd, chatEvent, doneEvent } from '@parlando/test-support/servers/chat-events'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it, onTestFinished } from 'vitest'

const example = useExample('22 - Tools of language models.json', (flow) => {
  // A test does not download the server. This one has a tool with the same name.
  nodeNamed(flow, 'Example tools')['command'] = mcpCommand
  nodeNamed(flow, 'Programs of others')['credentials'] = { key: keys.service }
})

it('says what to do as long as no language model is chosen', async () => {
  await example.press('a sum')
  expect(await example.debugTexts('what to do')).toEqual([
    expect.stringMatching(/svc\/models\/echo does not support tools/),
  ])
})

it('answers with what a tool of the server responds', async () => {
  await chooseModel()
  await example.press('a sum')
  expect(await example.debugTexts('what it said')).toEqual(['The sum of 1234 and 4321 is 5555.'])
})

it('lets a program with the key announce a text and set a timer', async () => {
  const editor = example.openEditor()
  onTestFinished(() => editor.close())
  const address = `${example.nodeRed.baseUrl}/parlando/mcp`
  const { connection, call } = connectMcp({ address, key: keys.service })
  const tools = await connection.listTools(untilTheEnd)
  expect(tools.map(({ name }) => name).toSorted()).toEqual(['announce_kitchen', 'remind_timers'])
  expect(await call('announce_kitchen', { text: 'Dinner is ready' })).toMatch(/"status":"said"/)
  expect(await example.debugTexts('announced')).toEqual(['Dinner is ready'])
  expect(await call('remind_timers', { text: 'in one second the egg' })).toMatch(/"reminders":/)
  expect(await example.debugTexts('due')).toEqual(['the egg'])
})

/** Chooses a language model that calls the tool of its request, and says what the tool responded. */
async function chooseModel(): Promise<void> {
  const { baseUrl } = await startTestServer((response, _request, bytes) => {
    const { messages, tools } = JSON.parse(String(Buffer.from(bytes)))
    const { role, content } = messages.at(-1)
    if (role === 'tool') return void response.end(chatEvent({ content }) + chatEnd)
    const [{ function: tool }] = tools
    const given = { name: tool.name, arguments: JSON.stringify({ a: 1234, b: 4321 }) }
    const call = { index: 0, id: 'sum', function: given }
    const end = chatEvent({}, { finish_reason: 'tool_calls' }) + doneEvent
    response.end(chatEvent({ tool_calls: [call] }) + end)
  })
  const service = { id: 'model', type: 'parlando-service', location: 'hosted', baseUrl }
  Object.assign(nodeNamed(example.flow, 'answer'), { service: service.id, model: 'small' })
  await example.nodeRed.deploy([...example.flow, service])
}
