import { on } from 'node:events'
import { useExample } from '@parlando/test-support/node-red/example'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

const example = useExample('20 - Ask a question.json')

/** Opens the page as a display that answers the next question with a button. */
async function answerWith(answer: string): Promise<string> {
  const path = '/parlando/speaker/kitchen'
  const { token } = (await (await example.fetch(`${path}/token`, { method: 'POST' })).json()) as {
    token: string
  }
  const player = 'display'
  const query = new URLSearchParams({ player, token })
  const address = example.nodeRed.baseUrl.replace('http', 'ws')
  const socket = new WebSocket(`${address}${path}/socket?${query}`)
  onTestFinished(() => socket.close())
  // Messages can arrive together.
  for await (const [json] of on(socket, 'message')) {
    const { type, question } = JSON.parse(String(json))
    if (type !== 'question' || !question) continue
    const index = String(question.buttons.indexOf(answer))
    const press = new URLSearchParams({ player, id: question.id, index })
    expect((await example.fetch(`${path}/answer?${press}`, { method: 'POST' })).status).toBe(204)
    return question.text
  }
  throw new Error('No question')
}

it('says which page to open when nobody shows it', async () => {
  await example.press('the washing machine is done')
  const [problem] = await example.debugTexts('what to do')
  expect(problem).toMatch(/open http:\/\/.+\/parlando\/speaker\/kitchen/)
})

it('asks again after a while if somebody answers yes, and not after a no', async () => {
  const tablet = await openPage(example.nodeRed.baseUrl, 'kitchen')
  onTestFinished(() => tablet.close())
  const first = answerWith('yes')
  await example.press('the washing machine is done')
  expect(await first).toBe('The washing machine is done. Shall I remind you again?')
  expect(await answerWith('no')).toMatch(/^Do not forget/)
  const [answer] = await example.debugTexts('no more reminders')
  expect(JSON.parse(answer!)).toMatchObject({ name: 'no', value: false, by: 'button' })
}, 90_000)
