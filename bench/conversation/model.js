import { createClient } from '@parlando/core'

/** The time that the language model takes for each transcript, measured with responses in text. */
export async function measureModel(baseUrl, turns) {
  const client = createClient({ baseUrl })
  const conversation = client.realtime({ model: 'svc/models/echo', output_modalities: ['text'] })
  const timesMs = []
  const waiting = turns.map(({ transcript }) => transcript || 'Nothing.')
  let createdAt
  conversation.sendText(waiting.shift())
  for await (const { type } of conversation) {
    if (type === 'response.created') createdAt = performance.now()
    if (type === 'response.output_text.delta' && createdAt) {
      timesMs.push(performance.now() - createdAt)
      createdAt = undefined
    }
    if (type !== 'response.done') continue
    if (waiting.length === 0) break
    conversation.sendText(waiting.shift())
  }
  await client.close()
  return timesMs
}
