import { startWyomingServer } from '@parlando/test-support/local-service/wyoming/wyoming-server'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createDescribedList } from './described-list.ts'
import { openConnection } from './open-connection.ts'

const read = (info: unknown) => z.looseObject({ asr: z.array(z.string()) }).parse(info).asr

it('the list of a server warns once for each reason, in a sentence, and keeps what is known', async () => {
  let asr: unknown = ['whisper']
  const server = await startWyomingServer((_event, connection) =>
    connection.send({ type: 'info', data: { asr } }),
  )
  const warnings: string[] = []
  const list = createDescribedList({
    open: (signal) => openConnection(server.address, signal),
    read,
    warn: (reason) => warnings.push(reason),
  })
  onTestFinished(() => list.close())
  await list.refresh()
  asr = 5
  await list.refresh()
  await list.refresh()
  expect(list.list()).toEqual(['whisper'])
  expect(warnings).toEqual(['It sent a list that is malformed'])
  asr = []
  await list.refresh()
  asr = 5
  await list.refresh()
  expect(warnings).toHaveLength(2)
})
