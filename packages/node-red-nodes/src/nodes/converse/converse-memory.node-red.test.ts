import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  created,
  done,
  responding,
  said,
  sentOf,
  useConverse,
} from '@parlando/test-support/node-red/flows/converse-flow'
import { expect, it, vi } from 'vitest'

const { startConverse, deploy, unload, userFolder } = useConverse()
const folder = join(userFolder, 'parlando', 'conversations')

/** A conversation that is kept, with one answer, and still open. */
async function converse() {
  const { server, flow, receive } = await startConverse(
    responding(created, said('It rains.'), done()),
    { keep: true },
  )
  receive({ payload: 'How is the weather?' })
  await flow.waitFor('transcript', 1)
  const texts = () =>
    sentOf(server.sockets[0], 'conversation.item.create').map((message) => {
      const { item } = message as { item: { content: { text: string }[] } }
      return item.content[0]!.text
    })
  return { texts }
}

it('an open conversation that is kept goes on with its last answer after a restart', async () => {
  await converse()
  await unload()
  const { texts } = await converse()
  await vi.waitFor(() =>
    expect(texts()).toEqual(['How is the weather?', 'It rains.', 'How is the weather?']),
  )
})

it('an open conversation is deleted with its node', async () => {
  await converse()
  await deploy([])
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
})
